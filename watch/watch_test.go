package watch_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/agents"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/sm"
	"github.com/ibscope/ibscope/watch"
)

// world is a simulated fabric with a manager, and what a Watcher told of it.
type world struct {
	t       testing.TB
	sim     *sim.Fabric
	agents  *agents.Agents
	manager *sm.Manager
	watcher *watch.Watcher
	end     func()

	mu     sync.Mutex
	states []*watch.State
	last   *watch.State
	keep   func(*watch.State) bool // whether a state is kept in states; nil: all are
	opens  int
	broken error // why the port cannot be opened
	port   *sim.Port
	wrap   func(madrpc.Transport) madrpc.Transport // what is put before the port
	at     *fabric.Port                            // where it is, nil for the start
}

func tree(t testing.TB, hosts int) *fabric.Fabric {
	t.Helper()
	f, err := gen.FatTree(gen.FatTreeOptions{Levels: 3, Radix: 8, Hosts: hosts})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// begin makes a fabric and who is to watch it. It is for use within a bubble.
func begin(t testing.TB, model *fabric.Fabric, so sim.Options, o watch.Options) *world {
	t.Helper()
	so.NoTraps = true
	s, err := sim.New(model, &so)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, sim: s}
	if w.agents, err = agents.Use(s, nil); err != nil {
		t.Fatal(err)
	}
	w.manage()
	o.Open, o.Each = w.open, w.each
	w.watcher = watch.New(&o)
	w.end = func() {
		_ = w.manager.Close()
		_ = s.Close()
	}
	return w
}

// manage starts a subnet manager.
func (w *world) manage() {
	var err error
	if w.manager, err = sm.Start(w.sim, nil); err != nil {
		w.t.Fatal(err)
	}
}

// run begins to watch.
func (w *world) run() {
	ctx, cancel := context.WithCancel(w.t.Context())
	done := make(chan error)
	go func() { done <- w.watcher.Run(ctx) }()
	end := w.end
	w.end = func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			w.t.Errorf("Run ended with %v", err)
		}
		end()
	}
}

// start is begin and run.
func start(t testing.TB, model *fabric.Fabric, so sim.Options, o watch.Options) *world {
	t.Helper()
	w := begin(t, model, so, o)
	w.run()
	return w
}

func (w *world) open(context.Context) (madrpc.Transport, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.opens++
	if w.broken != nil {
		return nil, w.broken
	}
	p, err := w.sim.Attach(w.at)
	w.port = p
	if w.wrap != nil && err == nil {
		return w.wrap(p), nil
	}
	return p, err
}

// opened is how often the port was.
func (w *world) opened() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.opens
}

func (w *world) each(old, now *watch.State) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.last != nil && w.last != old || now.Number != old.Number+1 {
		w.t.Errorf("state %d does not follow on %d", now.Number, old.Number)
	}
	w.last = now
	if w.keep == nil || w.keep(now) {
		w.states = append(w.states, now)
	}
}

// all are the states so far that were to be kept.
func (w *world) all() []*watch.State {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.states)
}

// after lets time pass, and gives the state then.
func (w *world) after(d time.Duration) *watch.State {
	time.Sleep(d)
	synctest.Wait()
	return w.watcher.State()
}

func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, tree(t, 40), sim.Options{Latency: time.Millisecond}, watch.Options{})
		defer func() { w.end() }()
		s := w.after(5 * time.Minute)
		t.Log(s.Refresh, s.Verify, s.Pass, s.Managers, len(s.Totals.Ports))
		for _, s := range w.all() {
			t.Log(s.Number, s.Cause, s.Since.Format(time.TimeOnly), s.Fabric.NumNodes(), s.Connected, s.Err)
		}
		first := w.all()[0].Fabric
		if first.NumNodes() != w.sim.Model().NumNodes() || s.Fabric != first {
			t.Errorf("%d nodes, in another fabric: %v", first.NumNodes(), s.Fabric != first)
		}
	})
}
