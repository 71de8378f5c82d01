package scenario_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/source"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/scenario"
	"github.com/ibscope/ibscope/sim/sm"
)

// world is a scenario at work.
type world struct {
	*testing.T
	*scenario.Scenario
	sim *sim.Fabric
	r   *scenario.Runner
}

// gallery is where the example files are.
const gallery = "../../docs/scenarios"

func load(t testing.TB, text string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Load(strings.NewReader(text), "test.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func loadFile(t testing.TB, name string) *scenario.Scenario {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(gallery, name))
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenario.Load(strings.NewReader(string(text)), name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// play makes the fabric of a scenario; its timeline is begun by Start in
// synctest, or by hand.
func play(t *testing.T, s *scenario.Scenario) *world {
	t.Helper()
	opened, err := source.OpenScenario(s, s.URI)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, Scenario: s, sim: opened.Fabric}
	t.Cleanup(func() {
		if m, ok := w.sim.Manager().(*sm.Manager); ok {
			m.Close()
		}
		w.sim.Close()
	})
	return w
}

// start lets the clock carry out the timeline.
func (w *world) start() *world {
	w.Helper()
	r, err := w.Start(w.Context(), w.sim)
	if err != nil {
		w.Fatal(err)
	}
	w.r = r
	w.Cleanup(func() { r.Close() })
	return w
}

// byHand makes a Runner that Advance steps.
func (w *world) byHand() *world {
	w.Helper()
	r, err := w.New(w.sim, nil)
	if err != nil {
		w.Fatal(err)
	}
	w.r = r
	return w
}

// sweep is a discovery from node0001.
func (w *world) sweep() *fabric.Fabric {
	w.Helper()
	p, err := w.sim.AttachAt("", 0)
	if err != nil {
		w.Fatal(err)
	}
	defer p.Close()
	f, err := discover.Run(w.Context(), p, nil)
	if f == nil {
		w.Fatal(err)
	}
	return f
}

// node finds a node of the model by the start of its name.
func (w *world) node(f *fabric.Fabric, prefix string) *fabric.Node {
	w.Helper()
	for n := range f.Nodes() {
		if strings.HasPrefix(strings.TrimPrefix(n.Description(), "MF0;"), prefix) {
			return n
		}
	}
	w.Fatalf("no node %s", prefix)
	return nil
}

func (w *world) at(prefix string, port int) sim.Place {
	w.Helper()
	return sim.Place{Node: w.node(w.sim.Model(), prefix), Port: port}
}

func (w *world) do(command string) []scenario.Event {
	w.Helper()
	events, err := w.r.Do(command)
	if err != nil {
		w.Errorf("%s: %v", command, err)
	}
	return events
}

// noFailures checks the log.
func (w *world) noFailures() {
	w.Helper()
	for _, e := range w.r.Log() {
		if e.Err != nil {
			w.Errorf("%v", e)
		}
	}
}

func (w *world) counter(at sim.Place, name string) uint64 {
	w.Helper()
	v, err := w.r.Counters().Get(at, name)
	if err != nil {
		w.Fatal(err)
	}
	return v
}
