package watch_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/watch"
)

// TestStats: what has been sent is counted over all ports that were open, and is what the
// runs say.
func TestStats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := begin(t, tree(t, 40), sim.Options{Latency: time.Millisecond}, watch.Options{Details: true, Firmware: true})
		defer func() { w.end() }()
		if s := w.watcher.Stats(); s.Sent != 0 || s.Window != 0 {
			t.Errorf("before Run: %+v", s)
		}
		c := w.count()
		w.run()
		before := w.after(3*time.Minute + 20*time.Second)
		first := w.watcher.Stats()
		if first.Sent == 0 || first.Sent != first.Replies || first.InFlight != 0 || first.Window < 8 {
			t.Errorf("%+v", first)
		}
		w.lose(errGone)
		w.after(time.Second)
		if lost := w.watcher.Stats(); lost.Sent != first.Sent || lost.Window != 0 {
			t.Errorf("while the port is lost: %+v, before %+v", lost, first)
		}
		w.lose(nil)
		s := w.after(5 * time.Minute)
		last := w.watcher.Stats()
		if last.Sent <= first.Sent || last.Window < 8 || s.Refresh.Count <= before.Refresh.Count {
			t.Errorf("after its return: %+v", last)
		}
		var runs, sent int
		for _, s := range w.all() {
			switch s.Cause {
			case watch.Refreshing:
				runs += s.Refresh.Requests
			case watch.Verification:
				runs += s.Verify.Requests
			case watch.Counting:
				runs += s.Pass.Requests
			case watch.Asking:
				runs += s.Asking.Requests
			}
		}
		for _, n := range c.sent {
			sent += n
		}
		if int(last.Sent) != runs || sent != runs+int(last.Resent) {
			t.Errorf("%d requests sent, %d packets; the runs have %d", last.Sent, sent, runs)
		}
	})
}
