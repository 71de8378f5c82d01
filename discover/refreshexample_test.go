package discover_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric/diff"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// A monitor sweeps once, and then refreshes what it knows.
func ExampleRefresh() {
	model, err := gen.Parse("fattree?levels=3&radix=8&hosts=128")
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
	client := madrpc.New(port, nil)
	defer client.Close()
	ctx := context.Background()
	known, err := discover.Walk(ctx, client, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(known.NumNodes(), "nodes")
	for round := range 3 {
		if round == 1 {
			pullCable(simulated)
		}
		now, err := discover.Refresh(ctx, client, known, &discover.RefreshOptions{Round: round})
		if err != nil {
			log.Fatal(err)
		}
		for _, c := range diff.Compare(known, now, nil) {
			fmt.Println(c.Op, c.Subject, c.A.Node.Description())
		}
		known = now
	}
	// Output:
	// 208 nodes
	// only-a node node0009 mlx5_0
	// only-a link MF0;leaf03:MQM8700/U1
}

// pullCable takes a host off the fabric.
func pullCable(s *sim.Fabric) {
	for n := range s.Model().CAs() {
		if n.Description() == "node0009 mlx5_0" {
			if err := s.Unlink(sim.Place{Node: n, Port: 1}); err != nil {
				log.Fatal(err)
			}
		}
	}
}
