package watch_test

import (
	"bytes"
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/survey"
	"github.com/ibscope/ibscope/watch"
)

// slow asks a few at a time, so that sweeps take long.
var slow = madrpc.Options{MaxOutstanding: 2}

// TestDeadlineOfSweep: a sweep that runs into its deadline tells of what it has seen,
// and takes nothing away; the next ones go on where it ended, until all is known.
func TestDeadlineOfSweep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, tree(t, 40), sim.Options{Latency: 10 * time.Millisecond}, watch.Options{
			Client: slow, Verify: watch.Pace{Deadline: time.Second}, Refresh: watch.Pace{Deadline: time.Second},
			Counters: watch.Pace{Every: -1},
		})
		defer func() { w.end() }()
		last := 0
		for i := range 40 {
			s := w.after(30 * time.Second)
			n := s.Fabric.NumNodes()
			if n < last {
				t.Fatalf("sweep %d: %d nodes after %d", i, n, last)
			}
			if i == 0 && (n == w.sim.Model().NumNodes() || s.Err == nil || !errors.Is(s.Err, context.DeadlineExceeded) || s.Verify.Complete || !s.Connected) {
				t.Errorf("the first sweep: %d nodes, %+v", n, s)
			}
			last = n
		}
		if s := w.watcher.State(); last != w.sim.Model().NumNodes() || s.Err != nil || !s.Refresh.Complete {
			t.Errorf("%d nodes in the end: %+v", last, s)
		}
	})
}

// TestDeadlineOfPass: what a pass does not come to is read first in the next one.
func TestDeadlineOfPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, tree(t, 40), sim.Options{Latency: 10 * time.Millisecond}, watch.Options{
			Client: slow, Counters: watch.Pace{Deadline: 800 * time.Millisecond}, Refresh: watch.Pace{Every: -1},
		})
		defer func() { w.end() }()
		s := w.after(30 * time.Second)
		first := len(s.Totals.Ports)
		if s.Pass.Complete || !errors.Is(s.Pass.Err, context.DeadlineExceeded) || first == 0 {
			t.Errorf("the first pass: %+v, %d ports", s.Pass, first)
		}
		all := 0
		for p := range s.Fabric.Ports() {
			if p.PhysState() == ib.PhysLinkUp { // also port 0 of switches
				all++
			}
		}
		most := 0
		for i := range 20 {
			s = w.after(time.Minute)
			for _, p := range s.Totals.Ports {
				if i > 10 {
					most = max(most, p.Missed)
				}
			}
		}
		if len(s.Totals.Ports) != all || first >= all || most == 0 || most > 3*all/first {
			t.Errorf("%d ports of %d, %d in the first pass; some were not read in %d passes", len(s.Totals.Ports), all, first, most)
		}
	})
}

// TestRefreshBesidePass: a pass that takes long does not hold up refreshes.
func TestRefreshBesidePass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, tree(t, 128), sim.Options{Latency: 10 * time.Millisecond}, watch.Options{
			Client: madrpc.Options{MaxOutstanding: 4}, Refresh: watch.Pace{Every: 2 * time.Second}, Counters: watch.Pace{Every: time.Millisecond},
		})
		defer func() { w.end() }()
		w.after(time.Minute)
		longest, passes := time.Duration(0), 0
		for _, s := range w.all() {
			switch s.Cause {
			case watch.Refreshing:
				longest = max(longest, s.Refresh.Duration)
			case watch.Counting:
				passes++
			}
			if s.Fabric.NumNodes() != w.sim.Model().NumNodes() {
				t.Errorf("state %d has %d nodes", s.Number, s.Fabric.NumNodes())
			}
		}
		s := w.watcher.State()
		if passes < 15 || s.Refresh.Count < 15 || longest > 5*time.Second || longest < s.Pass.Duration/10 {
			t.Errorf("%d passes of %v, %d refreshes of at most %v", passes, s.Pass.Duration, s.Refresh.Count, longest)
		}
	})
}

// stored is a snapshot of a fabric, written and read.
func stored(t *testing.T, w *world) *snapshot.Snapshot {
	t.Helper()
	port, err := w.sim.Attach(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := madrpc.New(port, nil)
	defer client.Close()
	s, err := survey.Take(t.Context(), client, w.watcher.State().Fabric, &survey.Options{Counters: true, SMInfo: true})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := snapshot.Write(&b, s); err != nil {
		t.Fatal(err)
	}
	if s, err = snapshot.Read(&b, "test"); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRestart: a Watcher begins with what is stored, and then sees what has changed
// since, silent changes too; counters go on from the stored ones.
func TestRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, tree(t, 40), sim.Options{Latency: time.Millisecond}, watch.Options{})
		defer func() { w.end() }()
		before := w.after(70 * time.Second)
		host := hosts(w.sim.Model())[7]
		at := sim.Place{Node: host, Port: 1}
		if err := w.agents.Counters.Count(at, "PortCounters.SymbolErrorCounter", 40); err != nil {
			t.Fatal(err)
		}
		shot := stored(t, w)
		if err := w.agents.Counters.Count(at, "PortCounters.SymbolErrorCounter", 10); err != nil {
			t.Fatal(err)
		}
		if err := w.sim.SetNodeDescription(host, "renamed"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		second := watch.New(&watch.Options{Start: shot, Open: w.open})
		s := second.State()
		if !s.Stored || s.Connected || !s.Lost.IsZero() || s.Cause != watch.Stored || time.Since(s.At) < time.Hour {
			t.Errorf("before Run: %+v", s)
		}
		if m, ok := s.Master(); !ok || m.LID == 0 || m.Node != w.sim.Model().Start().Node().GUID() {
			t.Errorf("stored managers %+v", s.Managers)
		}
		if diff := cmp.Diff(graph(before.Fabric), graph(s.Fabric)); diff != "" {
			t.Errorf("stored (-before +stored)\n%s", diff)
		}
		if p := s.Totals.Port(host.GUID(), 1); p == nil || p.Values[counters.SymbolErrors] != 40 || p.Interval != 0 {
			t.Errorf("stored counters %+v", p)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- second.Run(ctx) }()
		time.Sleep(time.Second)
		s = second.State()
		n, _ := s.Fabric.NodeByGUID(host.GUID())
		if s.Stored || !s.Connected || n.Description() != "renamed" {
			t.Errorf("%q: %+v", n.Description(), s)
		}
		p := s.Totals.Port(host.GUID(), 1)
		if p.Values[counters.SymbolErrors] != 50 || p.Added[counters.SymbolErrors] != 10 || p.Interval < time.Hour || p.Resets > 0 {
			t.Errorf("counters %+v", p)
		}
		cancel()
		<-done
	})
}

// TestTrigger: what is asked for begins at once, and again if it was under way.
func TestTrigger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, tree(t, 40), sim.Options{Latency: 10 * time.Millisecond}, watch.Options{
			Client: slow, Refresh: watch.Pace{Every: -1}, Verify: watch.Pace{Every: -1}, Counters: watch.Pace{Every: -1},
		})
		defer func() { w.end() }()
		s := w.after(24 * time.Hour)
		if s.Refresh.Count != 0 || s.Verify.Count != 1 || s.Pass.Count != 0 {
			t.Fatalf("without being asked: %+v", s)
		}
		for _, kind := range []watch.Kind{watch.Refreshing, watch.Verification, watch.Counting} {
			w.watcher.Trigger(kind)
			time.Sleep(time.Millisecond)
			w.watcher.Trigger(kind) // it runs already
			w.watcher.Trigger(kind)
		}
		s = w.after(time.Minute)
		// The refresh that was asked for again is made by the verification.
		if s.Refresh.Count != 1 || s.Verify.Count != 2 || s.Pass.Count != 2 {
			t.Errorf("%d refreshes, %d verifications, %d passes", s.Refresh.Count, s.Verify.Count, s.Pass.Count)
		}
	})
}

// TestPorts: who shares the ports with others chooses anew at each pass.
func TestPorts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mine atomic.Int32
		w := start(t, tree(t, 40), sim.Options{}, watch.Options{Ports: func(p *fabric.Port) bool {
			return p.Node().Index()%2 == int(mine.Load())
		}})
		defer func() { w.end() }()
		fresh := func(s *watch.State) (n [2]int) {
			for _, p := range s.Totals.Ports {
				if node, _ := s.Fabric.NodeByGUID(p.Node); p.Missed == 0 {
					n[node.Index()%2]++
				}
			}
			return n
		}
		if n := fresh(w.after(70 * time.Second)); n[0] == 0 || n[1] != 0 {
			t.Errorf("fresh ports %v", n)
		}
		mine.Store(1)
		if n := fresh(w.after(70 * time.Second)); n[0] != 0 || n[1] == 0 {
			t.Errorf("then %v", n)
		}
	})
}

// TestWait: a reader who waits sees a new state, and a slow one the newest.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, tree(t, 40), sim.Options{}, watch.Options{})
		defer func() { w.end() }()
		var last *watch.State
		seen := 0
		for range 10 {
			s, err := w.watcher.Wait(t.Context(), last)
			if err != nil || s == last {
				t.Fatalf("the same, or %v", err)
			}
			last = s
			seen++
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if s, _ := w.watcher.Wait(t.Context(), last); s != w.watcher.State() || s.Number < last.Number+20 {
			t.Errorf("state %d after %d", s.Number, last.Number)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := w.watcher.Wait(ctx, w.watcher.State()); !errors.Is(err, context.Canceled) {
			t.Errorf("given up: %v", err)
		}
	})
}
