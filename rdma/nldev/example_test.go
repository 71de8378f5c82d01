package nldev_test

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/rdma/nldev"
)

// Most programs call rdma.Devices; this is what lies below.
func Example() {
	c, err := nldev.Dial(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	devices, err := c.Devices(context.Background())
	if err != nil {
		fmt.Println(err)
	}
	for _, d := range devices {
		fmt.Println(d.Index, d.Name, d.NodeGUID, d.Protocol)
	}
}
