package watch_test

import (
	"context"
	"errors"
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
	manager *sm.Manager
	watcher *watch.Watcher
	end     func()

	mu     sync.Mutex
	states []*watch.State
	opens  int
	broken error // why the port cannot be opened
	port   *sim.Port
}

func tree(t testing.TB, hosts int) *fabric.Fabric {
	t.Helper()
	f, err := gen.FatTree(gen.FatTreeOptions{Levels: 3, Radix: 8, Hosts: hosts})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// start begins to watch a fabric. It is for use within a bubble.
func start(t testing.TB, model *fabric.Fabric, so sim.Options, o watch.Options) *world {
	t.Helper()
	so.NoTraps = true
	s, err := sim.New(model, &so)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, sim: s}
	if _, err := agents.Use(s, nil); err != nil {
		t.Fatal(err)
	}
	if w.manager, err = sm.Start(s, nil); err != nil {
		t.Fatal(err)
	}
	o.Open, o.Each = w.open, w.each
	w.watcher = watch.New(&o)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- w.watcher.Run(ctx) }()
	w.end = sync.OnceFunc(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Run ended with %v", err)
		}
		_ = w.manager.Close()
		_ = s.Close()
	})
	return w
}

func (w *world) open(context.Context) (madrpc.Transport, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.opens++
	if w.broken != nil {
		return nil, w.broken
	}
	p, err := w.sim.Attach(nil)
	w.port = p
	return p, err
}

func (w *world) each(old, now *watch.State) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := len(w.states); n > 0 && w.states[n-1] != old || now.Number != old.Number+1 {
		w.t.Errorf("state %d does not follow on %d", now.Number, old.Number)
	}
	w.states = append(w.states, now)
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
		defer w.end()
		s := w.after(5 * time.Minute)
		t.Log(s.Refresh, s.Verify, s.Pass, s.Managers, len(s.Totals.Ports))
		for _, s := range w.states {
			t.Log(s.Number, s.Cause, s.Since.Format(time.TimeOnly), s.Fabric.NumNodes(), s.Connected, s.Err)
		}
		first := w.states[0].Fabric
		if first.NumNodes() != w.sim.Model().NumNodes() || s.Fabric != first {
			t.Errorf("%d nodes, in another fabric: %v", first.NumNodes(), s.Fabric != first)
		}
	})
}
