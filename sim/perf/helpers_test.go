package perf_test

import (
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/perf"
	"github.com/ibscope/ibscope/sim/traffic"
)

// world is a star of two hosts with the counters plugged in.
type world struct {
	*testing.T
	model    *fabric.Fabric
	sim      *sim.Fabric
	counters *perf.Counters
	port     *sim.Port // of the first host
}

func newWorld(t *testing.T, topology string) *world {
	t.Helper()
	f, err := gen.Parse(topology)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, model: f, sim: s, counters: perf.New(f)}
	if err := w.counters.Use(s); err != nil {
		t.Fatal(err)
	}
	if w.port, err = s.Attach(nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.port.Close() })
	return w
}

// traffic makes counters move by rules.
func (w *world) traffic(texts ...string) {
	w.Helper()
	var rules []traffic.Rule
	for _, text := range texts {
		r, err := traffic.ParseRule(text)
		if err != nil {
			w.Fatal(err)
		}
		rules = append(rules, r)
	}
	m, err := traffic.New(w.model, 1, rules)
	if err != nil {
		w.Fatal(err)
	}
	w.counters.SetTraffic(m)
}

// host and leaf are ports: that of the first host, and one of the switch.
func (w *world) host() sim.Place {
	return sim.Place{Node: w.port.Node(), Port: w.port.Num()}
}

func (w *world) leaf(port int) sim.Place {
	for n := range w.model.Switches() {
		return sim.Place{Node: n, Port: port}
	}
	w.Fatal("no switch")
	return sim.Place{}
}

// ask sends a request to the agent at a port, without the fabric.
func (w *world) ask(at sim.Place, method mad.Method, attr mad.AttrID, data ...byte) *mad.Packet {
	w.Helper()
	var m mad.Packet
	m.Init(mad.ClassPerf, method, attr, 0)
	copy(m.Data(), data)
	if w.counters.Answer(sim.Request{Fabric: w.sim, At: at}, &m) != sim.Answered {
		w.Fatalf("no answer for %v", attr)
	}
	return &m
}

// basic gets PortCounters.
func (w *world) basic(at sim.Place, port byte) (v pma.PortCounters) {
	w.Helper()
	m := w.ask(at, mad.MethodGet, pma.AttrPortCounters, 0, port)
	if m.Status() != mad.StatusOK {
		w.Fatal(m.Status())
	}
	v.Decode((*[192]byte)(m.Data()))
	return v
}

// extended gets PortCountersExtended.
func (w *world) extended(at sim.Place, port byte) (v pma.PortCountersExtended) {
	w.Helper()
	m := w.ask(at, mad.MethodGet, pma.AttrPortCountersExtended, 0, port)
	if m.Status() != mad.StatusOK {
		w.Fatal(m.Status())
	}
	v.Decode((*[192]byte)(m.Data()))
	return v
}

func (w *world) set(at sim.Place, name string, v uint64) {
	w.Helper()
	if err := w.counters.Set(at, name, v); err != nil {
		w.Fatal(err)
	}
}

func (w *world) count(at sim.Place, name string, v uint64) {
	w.Helper()
	if err := w.counters.Count(at, name, v); err != nil {
		w.Fatal(err)
	}
}

func (w *world) get(at sim.Place, name string) uint64 {
	w.Helper()
	v, err := w.counters.Get(at, name)
	if err != nil {
		w.Fatal(err)
	}
	return v
}
