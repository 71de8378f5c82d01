package umad_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/umad"
)

// An open port is a transport: a sweep takes it as it is.
func ExampleOpen() {
	port, err := umad.Open("mlx5_0", 1)
	switch {
	case errors.Is(err, os.ErrPermission):
		log.Fatal(err) // the message names the device file, and a udev rule as remedy
	case err != nil:
		log.Fatal(err)
	}
	f, err := discover.Run(context.Background(), port, nil) // closes the port
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.NumNodes(), "nodes")
}
