package watch_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/watch"
)

func TestCost(t *testing.T) {
	for _, level := range []discover.Level{discover.Normal, discover.Quick} {
		synctest.Test(t, func(t *testing.T) {
			f, err := gen.FatTree(gen.FatTreeOptions{Levels: 3, Radix: 40, Hosts: 1300})
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			w := start(t, f, sim.Options{Latency: 50 * time.Microsecond}, watch.Options{Level: level})
			defer func() { w.end() }()
			w.after(time.Hour)
			var smps, gmps, verify int
			for _, s := range w.states {
				switch s.Cause {
				case watch.Refreshing:
					smps += s.Refresh.Requests
				case watch.Verification:
					verify += s.Verify.Requests
				case watch.Counting:
					gmps += s.Pass.Requests
				}
			}
			s := w.watcher.State()
			t.Log(level, f.NumNodes(), "nodes", smps, "refresh", verify, "verify", gmps, "gmps", s.Refresh, s.Pass, s.Verify, time.Since(began), s.Managers)
		})
	}
}
