package counters_test

import (
	"context"
	"errors"
	"testing"

	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/counters"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// Nobody may take a node that was never asked for one that was reset.
func TestClearYieldsEachNodeAfterAnInterrupt(t *testing.T) {
	model, err := gen.Parse("star?hosts=2")
	if err != nil {
		t.Fatal(err)
	}
	fake, err := sim.New(model, nil)
	if err != nil {
		t.Fatal(err)
	}
	port, err := fake.Attach(model.Start())
	if err != nil {
		t.Fatal(err)
	}
	client := madrpc.New(port, nil)
	defer client.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	nodes := make([]counters.Node, 1000)
	for i := range nodes {
		nodes[i].Ports = []uint8{1}
	}
	next := 0
	for i, err := range counters.Clear(ctx, client, nodes, counters.What{Errors: true}) {
		if i != next || !errors.Is(err, context.Canceled) {
			t.Fatalf("node %d, expected %d: error %v, expected context.Canceled", i, next, err)
		}
		next++
	}
	if next != len(nodes) {
		t.Errorf("%d nodes, expected %d", next, len(nodes))
	}
}
