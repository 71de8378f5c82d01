//go:build !race

// The race detector allocates on its own account.

package discover_test

import (
	"fmt"
	"testing"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
)

// TestSMPsDoNotAllocate: a sweep allocates for nodes, links and their ports together,
// not for each SMP that it sends and decodes. Of two chains of switches one has more
// ports, each of which takes one more SMP.
func TestSMPsDoNotAllocate(t *testing.T) {
	few, fewSMPs := allocations(t, 20)
	many, manySMPs := allocations(t, 220)
	if manySMPs-fewSMPs < 8*200 {
		t.Fatalf("%d SMPs and %d", fewSMPs, manySMPs)
	}
	if each := (many - few) / float64(manySMPs-fewSMPs); each > 0.25 {
		t.Errorf("%.2f allocations for each SMP: %v for %d, %v for %d", each, few, fewSMPs, many, manySMPs)
	}
}

// allocations sweeps a chain of switches with that many ports.
func allocations(t *testing.T, ports int) (n float64, smps int) {
	t.Helper()
	p := newPlan()
	p.node("h1", 0x1000, 1)
	near := "h1"
	for i := range 8 {
		name := fmt.Sprintf("S%d", i+1)
		p.node(name, ib.GUID(0x2000+16*i), ports)
		p.link(near, name+"/1")
		near = name + "/2"
	}
	s, err := sim.New(p.b.Build(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	port, err := s.AttachAt("h1", 1)
	if err != nil {
		t.Fatal(err)
	}
	client := madrpc.New(port, nil)
	defer client.Close()
	n = testing.AllocsPerRun(5, func() {
		f, err := discover.Walk(t.Context(), client, nil)
		if err != nil {
			t.Fatal(err)
		}
		smps = f.Sweep().SMPs
	})
	return n, smps
}
