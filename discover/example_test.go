package discover_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// A simulated fabric stands in for a port here; on a host with InfiniBand it is
// umad.Open's.
func ExampleRun() {
	model, err := gen.Parse("fattree?levels=2&radix=8&hosts=16")
	if err != nil {
		log.Fatal(err)
	}
	simulated, err := sim.New(model, nil)
	if err != nil {
		log.Fatal(err)
	}
	port, err := simulated.Attach(nil)
	if err != nil {
		log.Fatal(err)
	}

	f, err := discover.Run(context.Background(), port, &discover.Options{MaxOutstanding: 32})
	if err != nil {
		log.Fatal(err) // f still holds what was found
	}
	for n := range f.Switches() {
		linked := 0
		for p := range n.Ports() {
			if p.Remote() != nil {
				linked++
			}
		}
		fmt.Printf("%s: %d of %d ports connected\n", n.Description(), linked, n.NumPorts())
	}
	fmt.Println(len(f.Problems()), "problems")

	if p, ok := f.PortByLID(4); ok {
		fmt.Println("LID 4 is", p.Node().Description())
	}
	// Output:
	// MF0;leaf01:MQM8700/U1: 8 of 8 ports connected
	// MF0;spine01:MQM8700/U1: 8 of 8 ports connected
	// MF0;spine02:MQM8700/U1: 8 of 8 ports connected
	// MF0;leaf02:MQM8700/U1: 8 of 8 ports connected
	// MF0;leaf03:MQM8700/U1: 8 of 8 ports connected
	// MF0;leaf04:MQM8700/U1: 8 of 8 ports connected
	// 0 problems
	// LID 4 is MF0;leaf04:MQM8700/U1
}
