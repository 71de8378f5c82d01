package simbench

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
)

// Setup is a sweep to measure.
type Setup struct {
	Model *fabric.Fabric   // what there is
	Sim   sim.Options      // how it behaves; without Physics it has the zero ones
	Sweep discover.Options // how it is swept

	// Run sweeps instead of discover.Run with Sweep, if set.
	Run func(context.Context, madrpc.Transport) (*fabric.Fabric, error)

	NoTrace bool // Result.Trace is not needed, and would take half of the time
}

func (s *Setup) run(ctx context.Context, t madrpc.Transport) (*fabric.Fabric, error) {
	if s.Run != nil {
		return s.Run(ctx, t)
	}
	return discover.Run(ctx, t, &s.Sweep)
}

// Result is what the sweep cost and what came of it.
type Result struct {
	Duration time.Duration  // virtual
	Stats    sim.Statistics // of the fabric: what was sent, dropped, lost
	Fabric   *fabric.Fabric // what was found
	Err      error          // of discover.Run
	Trace    uint64         // a hash of all packets and of their times

	// What of the Model was not found, of what can be: see reach.
	MissingNodes, MissingLinks int
	Nodes, Links               int // that can be found
}

// Complete reports whether the sweep has found everything.
func (r *Result) Complete() bool { return r.Err == nil && r.MissingNodes == 0 && r.MissingLinks == 0 }

// Sweep measures a sweep from the model's start, in a bubble of testing/synctest
// of its own. The same Setup gives the same Result, the Trace included, as long as
// agents take some time; without it, goroutines race when several replies come at
// one time.
func Sweep(t *testing.T, s Setup) Result {
	t.Helper()
	if s.Sim.Physics == nil {
		s.Sim.Physics = new(sim.Physics)
	}
	var r Result
	synctest.Test(t, func(t *testing.T) {
		simulated, err := sim.New(s.Model, &s.Sim)
		if err != nil {
			t.Fatal(err)
		}
		defer simulated.Close()
		port, err := simulated.Attach(nil)
		if err != nil {
			t.Fatal(err)
		}
		watched := newTrace(port, !s.NoTrace)
		began := time.Now()
		r.Fabric, r.Err = s.run(t.Context(), watched)
		r.Duration = time.Since(began)
		r.Stats, r.Trace = simulated.Statistics(), watched.sum()
	})
	r.compare(&s)
	return r
}

// compare counts what of the model was not found. Nodes are known by their GUID.
func (r *Result) compare(s *Setup) {
	reached := newReach(s.Model, s.Sim.Faults)
	for n := range reached.nodes {
		r.Nodes++
		if _, found := r.Fabric.NodeByGUID(n.GUID()); !found {
			r.MissingNodes++
		}
	}
	for l := range s.Model.Links() {
		if !reached.hasLink(l) {
			continue
		}
		r.Links++
		if !hasLink(r.Fabric, l) {
			r.MissingLinks++
		}
	}
}

// hasLink reports whether the cable is there, between the same ports.
func hasLink(f *fabric.Fabric, l fabric.Link) bool {
	n, ok := f.NodeByGUID(l.A.Node().GUID())
	if !ok || n.Port(l.A.Num()) == nil {
		return false
	}
	far := n.Port(l.A.Num()).Remote()
	return far != nil && far.Num() == l.B.Num() && far.Node().GUID() == l.B.Node().GUID()
}
