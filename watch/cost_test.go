//go:build !race

package watch_test

import (
	"flag"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/watch"
)

var day = flag.Bool("day", false, "watch a fabric of 1,485 nodes for a simulated day at the default pace; takes minutes")

// large is a fabric of 1,485 nodes.
func large(t testing.TB) *fabric.Fabric {
	t.Helper()
	f, err := gen.FatTree(gen.FatTreeOptions{Levels: 3, Radix: 40, Hosts: 1300})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// load is what a Watcher has sent.
type load struct{ refresh, verify, counters, routes, resent int }

// add adds what the run that made a state has sent.
func (l *load) add(s *watch.State) {
	run := &s.Refresh
	switch s.Cause {
	case watch.Refreshing:
		l.refresh += run.Requests
	case watch.Verification:
		run = &s.Verify
		l.verify += run.Requests
	case watch.Counting:
		run = &s.Pass
		l.counters += run.Requests
	case watch.Routing:
		run = &s.Routing
		l.routes += run.Requests
	default:
		return
	}
	l.resent += run.Resent
}

// everyMinute is what a sweep of libibnetdisc's kind each minute sends in an hour: every
// link is asked from both of its ends. That C sends as much is tested beside the C tools.
func everyMinute(t *testing.T, s *sim.Fabric) int {
	t.Helper()
	port, err := s.Attach(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := madrpc.New(port, nil)
	defer client.Close()
	f, err := discover.Walk(t.Context(), client, &discover.Options{BothEnds: true, NoExtendedPortInfo: true})
	if err != nil {
		t.Fatal(err)
	}
	return 60 * f.Sweep().SMPs
}

// TestCost: how much is sent in an hour, at the default pace, beside a sweep a minute.
func TestCost(t *testing.T) {
	for level, most := range map[discover.Level]float64{discover.Normal: 0.30, discover.Quick: 0.12} {
		synctest.Test(t, func(t *testing.T) {
			var sent load
			w := begin(t, large(t), sim.Options{Latency: 50 * time.Microsecond}, watch.Options{Level: level, Routes: hourly})
			defer func() { w.end() }()
			w.keep = func(s *watch.State) bool { sent.add(s); return false }
			w.run()
			w.after(10*time.Minute - time.Second)
			perHour := 6*sent.refresh + sent.verify
			sweeps := everyMinute(t, w.sim)
			t.Logf("level %d, %d nodes, in an hour: %d SMPs to refresh, %d to verify, a sweep a minute takes %d; %d requests for counters, %d blocks of forwarding tables; %d sent again",
				level, w.sim.Model().NumNodes(), 6*sent.refresh, sent.verify, sweeps, 6*sent.counters, sent.routes, sent.resent)
			if want := inTables(w.watcher.State().Fabric); sent.routes != want {
				t.Errorf("%d requests for %d blocks of forwarding tables", sent.routes, want)
			}
			if float64(perHour) > most*float64(sweeps) || sent.resent > 0 {
				t.Errorf("%d SMPs in an hour, beside %d of sweeps; %d sent again", perHour, sweeps, sent.resent)
			}
		})
	}
}

// heap is how much is in use after a collection, in bytes.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestFlat: memory and goroutines are the same after a day as after an hour. Links flap
// meanwhile, and the port is lost now and then.
func TestFlat(t *testing.T) {
	o := watch.Options{
		Refresh: watch.Pace{Every: 15 * time.Minute}, Counters: watch.Pace{Every: 45 * time.Minute}, Verify: watch.Pace{Every: 6 * time.Hour},
	}
	if *day {
		o = watch.Options{}
	}
	synctest.Test(t, func(t *testing.T) {
		w := begin(t, large(t), sim.Options{Latency: 50 * time.Microsecond}, o)
		defer func() { w.end() }()
		w.keep = func(*watch.State) bool { return false }
		w.run()
		w.after(2 * time.Hour)
		memory, goroutines := heap(), runtime.NumGoroutine()
		victims := hosts(w.sim.Model())
		for hour := range 24 {
			at := sim.Place{Node: victims[1+hour*17], Port: 1}
			_ = w.sim.LinkDown(at)
			if hour%6 == 5 {
				w.lose(errGone)
			}
			w.after(30 * time.Minute)
			_ = w.sim.LinkUp(at)
			w.lose(nil)
			w.manager.Sweep()
			s := w.after(30 * time.Minute)
			if s.Fabric.NumNodes() < len(victims) || !s.Connected {
				t.Fatalf("hour %d: %+v", hour, s)
			}
		}
		after := heap()
		t.Logf("%d nodes, %d ports: %d KiB in use after 2 hours, %d KiB after 26", w.sim.Model().NumNodes(),
			len(w.watcher.State().Totals.Ports), memory>>10, after>>10)
		if after > memory+memory/10 || runtime.NumGoroutine() > goroutines {
			t.Errorf("%d bytes and %d goroutines, %d and %d a day before", after, runtime.NumGoroutine(), memory, goroutines)
		}
	})
}
