package watch_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/watch"
)

// dying is a transport that sends nothing any more after some packets, and says so each
// time, while nothing is wrong with its other half: as a socket whose server is gone.
type dying struct {
	madrpc.Transport
	left *atomic.Int64
}

func (d *dying) Send(p *mad.Packet, to mad.Addr, timeout time.Duration) error {
	if d.left.Add(-1) < 0 {
		return unix.ECONNREFUSED
	}
	return d.Transport.Send(p, to, timeout)
}

// TestServerGone: whenever in a sweep the server goes, no node vanishes.
func TestServerGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var left atomic.Int64
		o := watch.Options{Counters: watch.Pace{Every: -1}, Refresh: watch.Pace{Every: 10 * time.Second}}
		w := begin(t, tree(t, 40), sim.Options{Latency: time.Millisecond}, o)
		defer func() { w.end() }()
		w.wrap = func(p madrpc.Transport) madrpc.Transport { return &dying{p, &left} }
		left.Store(1 << 40)
		w.run()
		w.after(time.Minute)
		nodes := w.sim.Model().NumNodes()
		for n := int64(1); n < 140; n += 7 {
			left.Store(n)
			s := w.after(30 * time.Second)
			if s.Connected || !errors.Is(s.Err, watch.ErrNoStart) || !errors.Is(s.Err, unix.ECONNREFUSED) {
				t.Errorf("after %d packets: %+v", n, s)
			}
			left.Store(1 << 40)
			if s = w.after(2 * time.Minute); !s.Connected {
				t.Errorf("the server is back: %+v", s)
			}
		}
		for _, s := range w.all() {
			if s.Fabric.NumNodes() != nodes {
				t.Errorf("state %d (%s) has %d nodes of %d", s.Number, s.Cause, s.Fabric.NumNodes(), nodes)
			}
		}
	})
}

// cutting is a transport that does something when a certain packet is sent.
type cutting struct {
	madrpc.Transport
	left *atomic.Int64
	do   func()
}

func (c *cutting) Send(p *mad.Packet, to mad.Addr, timeout time.Duration) error {
	if c.left.Add(-1) == 0 {
		c.do()
	}
	return c.Transport.Send(p, to, timeout)
}

// TestOwnLinkFlaps: while the own link is down for a moment, in the middle of a sweep,
// nobody answers; that does not make them vanish.
func TestOwnLinkFlaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := begin(t, tree(t, 40), sim.Options{Latency: 2 * time.Millisecond}, watch.Options{
			Client:   madrpc.Options{MaxOutstanding: 4, Timeout: 10 * time.Millisecond, Retries: -1},
			Counters: watch.Pace{Every: -1}, Refresh: watch.Pace{Every: 5 * time.Second},
		})
		defer func() { w.end() }()
		own := w.sim.Model().Start()
		at := sim.Place{Node: own.Node(), Port: own.Num()}
		var left atomic.Int64
		w.wrap = func(p madrpc.Transport) madrpc.Transport {
			return &cutting{p, &left, func() {
				_ = w.sim.LinkDown(at)
				time.AfterFunc(400*time.Millisecond, func() {
					_ = w.sim.LinkUp(at)
					w.manager.Sweep()
				})
			}}
		}
		w.run()
		nodes := w.sim.Model().NumNodes()
		w.after(4 * time.Second)
		for n := int64(1); n < 140; n += 3 {
			left.Store(n)
			w.after(10 * time.Second)
		}
		for _, s := range w.all() {
			if s.Fabric.NumNodes() < nodes*9/10 {
				t.Errorf("state %d (%s) has %d nodes of %d", s.Number, s.Cause, s.Fabric.NumNodes(), nodes)
			}
		}
		if s := w.after(time.Minute); !s.Connected || s.Fabric.NumNodes() != nodes {
			t.Errorf("in the end: %+v", s)
		}
	})
}

// TestReallyGone: what is gone when it is asked again is gone.
func TestReallyGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, tree(t, 40), sim.Options{Latency: time.Millisecond}, watch.Options{})
		defer func() { w.end() }()
		before := w.after(70 * time.Second)
		for _, n := range hosts(w.sim.Model())[10:30] {
			if err := w.sim.KillNode(n); err != nil {
				t.Fatal(err)
			}
		}
		s := w.after(31 * time.Second)
		if s.Fabric.NumNodes() != before.Fabric.NumNodes()-20 || s.Refresh.Count != before.Refresh.Count+1 {
			t.Errorf("%d nodes after %d, %d refreshes after %d", s.Fabric.NumNodes(), before.Fabric.NumNodes(), s.Refresh.Count, before.Refresh.Count)
		}
	})
}

// TestLostForLong: when the fabric is back after a long time everything is asked.
func TestLostForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, tree(t, 40), sim.Options{Latency: time.Millisecond}, watch.Options{})
		defer func() { w.end() }()
		before := w.after(70 * time.Second)
		w.lose(errGone)
		w.after(20 * time.Minute)
		if err := w.sim.SetNodeDescription(hosts(w.sim.Model())[5], "renamed"); err != nil {
			t.Fatal(err)
		}
		w.lose(nil)
		s := w.after(2 * time.Minute)
		n, _ := s.Fabric.NodeByGUID(hosts(w.sim.Model())[5].GUID())
		if s.Verify.Count != before.Verify.Count+1 || n.Description() != "renamed" {
			t.Errorf("%q after %d verifications", n.Description(), s.Verify.Count)
		}
	})
}
