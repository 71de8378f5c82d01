package discover_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
)

// mesh is switches in a line, with as many cables again between any two. S0 has
// GUID 0x1000, S1 0x1100, and so on.
func mesh(switches int) *plan {
	p, r := newPlan(), rand.New(rand.NewPCG(3, 3))
	p.node("h1", 0x10, 1)
	used := make([]int, switches)
	end := func(i int) string {
		used[i]++
		return fmt.Sprintf("S%d/%d", i, used[i])
	}
	for i := range switches {
		p.node(fmt.Sprintf("S%d", i), ib.GUID(0x1000+i*0x100), 3*switches)
	}
	p.link("h1", end(0))
	for i := 1; i < switches; i++ {
		p.link(end(i-1), end(i))
		if a, b := r.IntN(switches), r.IntN(switches); a != b {
			p.link(end(a), end(b))
		}
	}
	return p
}

// Switches that tell another GUID each time they are asked make every node
// behind them look new. The fabric must not grow without end.
func TestLiarsDoNotBreed(t *testing.T) {
	const switches, liars = 7, 3
	synctest.Test(t, func(t *testing.T) {
		var faults []sim.Fault
		for i := range liars {
			faults = append(faults, sim.Fault{Kind: sim.CorruptBytes, Node: ib.GUID(0x1100 + i*0x100), Attr: 0x11})
		}
		f, err := mesh(switches).sweep(t, &sim.Options{Seed: 5, Faults: faults}, &discover.Options{Retries: -1})
		if err != nil {
			t.Fatal(err)
		}
		perGUID := map[ib.GUID]int{}
		for n := range f.Nodes() {
			perGUID[n.GUID()]++
		}
		for guid, n := range perGUID {
			if n > 64 {
				t.Errorf("%d nodes with GUID %s", n, guid)
			}
		}
		t.Logf("%d nodes, %d SMPs, %v", f.NumNodes(), f.Sweep().SMPs, kinds(f))
	})
}

// A fabric whose nodes all have one GUID is told apart as far as the bound, and
// what is left out is told.
func TestMoreTwinsThanTheBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlan()
		p.node("h1", 0x10, 1)
		p.node("S0", 0x1000, 110)
		p.link("h1", "S0/1")
		for i := range 100 {
			name := fmt.Sprintf("x%d", i)
			p.node(name, 0x77, 1)
			p.link(name, fmt.Sprintf("S0/%d", i+2))
		}
		f, err := p.sweep(t, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if f.NumNodes() != 2+64 {
			t.Errorf("%d nodes, want 66", f.NumNodes())
		}
		if k := kinds(f); k[fabric.BadReply] != 36 || f.IsComplete() {
			t.Errorf("problems %v, complete %v: want 36 bad replies", k, f.IsComplete())
		}
	})
}
