package metrics

import (
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/agents"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/perf"
	"github.com/ibscope/ibscope/watch"
)

// A world is a simulated fabric that is swept and whose counters are read.
type world struct {
	t      testing.TB
	sim    *sim.Fabric
	truth  *perf.Counters
	model  *fabric.Fabric
	client *madrpc.Client

	details bool // are read, too
}

func newWorld(t testing.TB, topology string) *world {
	t.Helper()
	model, err := gen.Parse(topology)
	if err != nil {
		t.Fatal(err)
	}
	return worldOf(t, model)
}

func worldOf(t testing.TB, model *fabric.Fabric) *world {
	t.Helper()
	s, err := sim.New(model, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := agents.Use(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	port, err := s.Attach(nil)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, sim: s, truth: a.Counters, model: model, client: madrpc.New(port, nil)}
	t.Cleanup(func() {
		w.client.Close()
		port.Close()
	})
	return w
}

// place is a port in the simulator.
func (w *world) place(node ib.GUID, port int) sim.Place {
	w.t.Helper()
	n, ok := w.model.NodeByGUID(node)
	if !ok {
		w.t.Fatalf("no node %s", node)
	}
	return sim.Place{Node: n, Port: port}
}

// state sweeps, and reads the counters.
func (w *world) state() *watch.State {
	w.t.Helper()
	f, err := discover.Walk(w.t.Context(), w.client, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	st := watch.Static("test", "sim:test", f, w.totals(f))
	st.Stored, st.Connected = false, true
	st.Verify = watch.Run{Count: 3, Failed: 1, Started: st.At.Add(-time.Second), Duration: time.Second, Requests: f.Sweep().SMPs, Complete: true}
	return st
}

// totals reads the counters once.
func (w *world) totals(f *fabric.Fabric) *total.Table {
	w.t.Helper()
	a := total.New()
	o := &counters.Options{Each: a.Add, Optional: total.DetailAttributes()}
	if w.details {
		o.Also = func(s *counters.Sample) []mad.AttrID { return a.AlsoDetails(s, 1) }
	}
	if _, err := counters.Collect(w.t.Context(), w.client, f, o); err != nil {
		w.t.Fatal(err)
	}
	return a.Table(time.Now())
}

// always is the function of states that gives some.
func always(states ...*watch.State) func() []*watch.State {
	return func() []*watch.State { return states }
}

// text is what a Collector serves.
func text(t testing.TB, c *Collector, format Format, sets ...Set) string {
	t.Helper()
	var b strings.Builder
	if err := c.Write(t.Context(), &b, format, sets...); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
