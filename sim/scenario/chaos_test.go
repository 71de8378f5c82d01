package scenario_test

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// An hour of chaos, while one program sweeps, another gives commands of its own,
// and a third gets the traps: no panic, no goroutine that stays, no memory that
// grows, traps of the links that come and go, and a fabric that is whole once it
// is mended.
func TestChaos(t *testing.T) {
	before := runtime.NumGoroutine()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		w := play(t, loadFile(t, "chaos.yaml")).start()
		var heap [2]uint64
		var others sync.WaitGroup
		stop := make(chan struct{})
		others.Go(func() { w.meddle(stop) })
		traps := w.watch("node0001 mlx5_0")
		sweeps, whole := 0, 0
		for time.Since(start) < time.Hour {
			time.Sleep(20 * time.Second)
			sweeps++
			f := w.sweep()
			if f.NumNodes() < 2 {
				t.Errorf("after %v a sweep finds %d nodes", time.Since(start), f.NumNodes())
			}
			if f.NumNodes() == w.sim.Model().NumNodes() {
				whole++
			}
			if d := time.Since(start); d > 20*time.Minute && heap[0] == 0 {
				heap[0] = live()
			}
		}
		close(stop)
		others.Wait()
		heap[1] = live()
		came := traps.close()
		if n := came[smp.TrapLinkStateChange]; n < 100 {
			t.Errorf("%d traps of links in an hour of flaps: %v", n, came)
		}
		if heap[1] > heap[0]*2+8<<20 {
			t.Errorf("after 20 minutes %d bytes are in use, after an hour %d", heap[0], heap[1])
		}
		w.mend()
		if f := w.sweep(); f.NumNodes() != w.sim.Model().NumNodes() {
			t.Errorf("mended, it has %d nodes of %d", f.NumNodes(), w.sim.Model().NumNodes())
		} else {
			for l := range f.Links() {
				if l.A.State() != ib.PortActive || l.B.State() != ib.PortActive || l.OneWay() {
					t.Errorf("mended, %s port %d is %s", l.A.Node().Description(), l.A.Num(), l.A.State())
				}
			}
		}
		failures, moves := map[string]int{}, 0
		for _, e := range w.r.Log() {
			if e.Err == nil && strings.HasPrefix(e.Do, "move") {
				moves++
			}
			if e.Err != nil && !strings.HasPrefix(e.Do, "sm ") { // the manager comes and goes
				failures[e.Do+": "+e.Err.Error()]++
			}
		}
		if len(failures) > 0 || moves < 20 {
			t.Errorf("%d cables moved, failures: %v", moves, failures)
		}
		t.Logf("%d events, %d sweeps, %d of them found all, traps %v, %d bytes in use", len(w.r.Log()), sweeps, whole, came, heap[1])
	})
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d afterwards", before, runtime.NumGoroutine())
}

func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// meddle gives commands until it is stopped, and sweeps from another place.
func (w *world) meddle(stop chan struct{}) {
	commands := []string{
		"count random:ca SymbolErrorCounter=3", "flap random:spine*/random times=2", "speed random:leaf*/random EDR",
		"speed leaf*/* full", "rename node0003 renamed", "rename renamed* node0003", "note x", "sm sweep",
		"move spine04/1 spine04/7", "unplug spine03/2", "move spine04/7 spine04/1", "replug spine03/2",
	}
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		case <-time.After(7 * time.Second):
		}
		_, _ = w.r.Do(commands[i%len(commands)]) // the manager may be gone, a node not called so
		if i%5 == 0 {
			p, err := w.sim.AttachAt("node0002", 0)
			if err != nil {
				p, err = w.sim.AttachAt("", 0)
			}
			if err != nil {
				w.Error(err)
				return
			}
			_, _ = discover.Run(w.Context(), p, nil)
			_ = p.Close()
		}
	}
}

// mend puts everything right.
func (w *world) mend() {
	w.r.Close()
	for _, command := range []string{
		"revive *", "loss * 0", "loss */* 0", "speed */* full", "replug *", "link up */*",
	} {
		w.do(command)
	}
	if events, err := w.r.Do("sm start"); err != nil && !strings.Contains(err.Error(), "already") {
		w.Errorf("%v: %v", events, err)
	}
	w.do("sm sweep")
	synctest.Wait()
}

// The work of a Runner ends with it.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := play(t, loadFile(t, "chaos.yaml")).start()
		time.Sleep(time.Minute)
		w.r.Close()
		n := len(w.r.Log())
		time.Sleep(time.Hour)
		if got := len(w.r.Log()); n == 0 || got != n {
			t.Errorf("%d events when it was closed, %d an hour later", n, got)
		}
	})
}

// A log is bounded, and keeps the last.
func TestLogBound(t *testing.T) {
	w := play(t, load(t, small+"timeline:\n  - {every: 1s, do: [note a, note b]}\n")).byHand()
	w.r.Advance(50000 * time.Second)
	log := w.r.Log()
	if len(log) > 1<<16 || len(log) < 1<<14 || log[len(log)-1].At != 50000*time.Second {
		t.Errorf("%d events, the last at %v", len(log), log[len(log)-1].At)
	}
}
