package perf_test

import (
	"sync"
	"testing"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/sim"
)

// TestConcurrent: nothing that is counted gets lost, while others read, reset
// and change the traffic.
func TestConcurrent(t *testing.T) {
	w := newWorld(t, star)
	w.traffic("load:10%")
	const n = 2000
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for range n {
				w.counters.Discarded(w.leaf(1), sim.DiscardNoRoute)
				_ = w.counters.Count(w.leaf(1), "PortCounters.SymbolErrorCounter", 1)
			}
		})
	}
	all.Go(func() {
		for range n {
			w.ask(w.leaf(1), mad.MethodSet, pma.AttrPortCounters, 0, 1, 0xff, 0xfe)
			w.basic(w.leaf(1), pma.AllPorts)
		}
	})
	all.Go(func() {
		for range 20 {
			w.traffic("load:5%")
			w.counters.LinkDowned(w.leaf(2))
		}
	})
	all.Wait()
	x := w.extended(w.leaf(1), 1)
	if x.RcvSwitchRelayErrors != 2*n || x.SymbolErrors != 2*n || w.basic(w.leaf(1), 1).SymbolErrors != 2*n {
		t.Errorf("%+v", x)
	}
}
