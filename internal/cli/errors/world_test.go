package errors

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/sweep"
	"github.com/ibscope/ibscope/internal/source"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/perf"
)

// world is a simulated star of four adapters whose counters stand still.
type world struct {
	model    *fabric.Fabric
	sim      *sim.Fabric
	counters *perf.Counters
	columns  int    // of the terminal
	between  func() // what is done between two readings
}

func simulate(t *testing.T) *world {
	t.Helper()
	model, err := gen.Parse("star?hosts=4")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{model: model, counters: perf.New(model)}
	if w.sim, err = sim.New(model, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.counters.Use(w.sim); err != nil {
		t.Fatal(err)
	}
	return w
}

// port is a port of the switch.
func (w *world) port(num int) sim.Place {
	for sw := range w.model.Switches() {
		return sim.Place{Node: sw, Port: num}
	}
	panic("no switch")
}

// count lets the counters of a port of the switch count.
func (w *world) count(t *testing.T, num int, name string, n uint64) {
	t.Helper()
	if err := w.counters.Count(w.port(num), "PortCounters."+name, n); err != nil {
		t.Fatal(err)
	}
}

// run runs a command line on the fabric.
func (w *world) run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, told bytes.Buffer
	e := &env.Env{
		Sources: source.Others,
		Args:    []string{"ibscope"}, Stdout: &out, Stderr: &told, Now: time.Now,
		Getenv: func(name string) string {
			if name == "COLUMNS" && w.columns > 0 {
				return strconv.Itoa(w.columns)
			}
			return ""
		},
		IsTerminal: func(any) bool { return false },
	}
	s := &settings{}
	c := command(e, s)
	err := c.ParseFlags(args)
	if err == nil {
		err = w.session(t, e, s)
	}
	var exit *env.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.Code
		if exit.Err != nil {
			e.Complain("%v", exit.Err)
		}
	case err != nil:
		t.Fatal(err)
	}
	return out.String(), told.String(), code
}

// session is a run of the command with the simulated fabric as what was visited.
func (w *world) session(t *testing.T, e *env.Env, s *settings) error {
	f, err := s.finder(e)
	if err != nil {
		return err
	}
	f.wait = func(context.Context, time.Duration) error {
		if w.between != nil {
			w.between()
		}
		return nil
	}
	port, err := w.sim.Attach(w.model.Start())
	if err != nil {
		t.Fatal(err)
	}
	client := madrpc.New(port, &madrpc.Options{Timeout: 50 * time.Millisecond, Retries: -1})
	defer client.Close()
	v := &sweep.Visited{URI: "sim:star", Client: client}
	if v.Fabric, err = discover.Walk(t.Context(), client, nil); err != nil {
		t.Fatal(err)
	}
	return f.run(t.Context(), e, v)
}
