package doctest

import (
	"context"
	"fmt"
	"log"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// Example is the library example of README.md.
func Example() {
	// begin README
	model, err := gen.Parse("fattree?levels=2&radix=8&hosts=16")
	if err != nil {
		log.Fatal(err)
	}
	fake, err := sim.New(model, nil)
	if err != nil {
		log.Fatal(err)
	}
	port, err := fake.Attach(model.Start())
	if err != nil {
		log.Fatal(err)
	}
	defer port.Close()

	f, err := discover.Run(context.Background(), port, nil)
	if err != nil {
		log.Print(err) // f holds what was found all the same
	}
	for sw := range f.Switches() {
		for p := range sw.Ports() {
			if far := p.Remote(); far != nil {
				fmt.Printf("%s port %d: %s port %d, %s\n",
					sw.Description(), p.Num(), far.Node().Description(), far.Num(), p.Active())
			}
		}
	}
	// end README
}
