package watch_test

import (
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/watch"
)

// lose ends the port, and keeps it from being opened again.
func (w *world) lose(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken = err
	if err != nil {
		_ = w.port.Close()
	}
}

var errGone = errors.New("the port is gone")

// TestPortLost: what is known stays, the port is opened again more and more rarely, and
// the fabric is asked as soon as it is back.
func TestPortLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, tree(t, 40), sim.Options{Latency: time.Millisecond}, watch.Options{})
		defer func() { w.end() }()
		before := w.after(70 * time.Second)
		w.lose(unix.ENODEV)
		lost := w.after(time.Millisecond)
		if lost.Connected || time.Since(lost.Lost) > time.Second || !errors.Is(lost.Err, os.ErrClosed) || lost.Fabric != before.Fabric || lost.Totals != before.Totals {
			t.Errorf("after the loss: %+v", lost)
		}
		opens := w.opened()
		s := w.after(10 * time.Minute)
		if tries := w.opened() - opens; tries < 10 || tries > 16 {
			t.Errorf("the port was opened %d times within 10 minutes", tries)
		}
		if !errors.Is(s.Err, unix.ENODEV) || !s.Lost.Equal(lost.Lost) || s.Refresh.Count != before.Refresh.Count || s.Number-lost.Number != 1 {
			t.Errorf("while it is lost: %+v", s)
		}
		gone := hosts(w.sim.Model())[20]
		if err := w.sim.KillNode(gone); err != nil {
			t.Fatal(err)
		}
		w.lose(nil)
		w.watcher.Trigger(watch.Connecting)
		back := w.after(2 * time.Second)
		if _, ok := back.Fabric.NodeByGUID(gone.GUID()); !back.Connected || !back.Lost.IsZero() || back.Err != nil || ok {
			t.Errorf("after its return, the dead host there %v: %+v", ok, back)
		}
		if back.Pass.Count <= before.Pass.Count {
			t.Error("counters are not read after the return")
		}
	})
}

// hosts are the channel adapters.
func hosts(f *fabric.Fabric) (list []*fabric.Node) {
	for n := range f.CAs() {
		list = append(list, n)
	}
	return list
}

// TestNeverThere: a port that cannot be opened is told of once.
func TestNeverThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := begin(t, tree(t, 40), sim.Options{}, watch.Options{})
		defer func() { w.end() }()
		w.broken = unix.EACCES
		w.run()
		s := w.after(time.Hour)
		if s.Connected || s.Lost.IsZero() || !errors.Is(s.Err, unix.EACCES) || s.Number != 1 || s.Fabric != nil {
			t.Errorf("%+v", s)
		}
	})
}

// TestOwnCable: when the own cable is out nothing is known of the rest, and so the rest
// does not vanish. The port stays open.
func TestOwnCable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, tree(t, 40), sim.Options{Latency: time.Millisecond}, watch.Options{})
		defer func() { w.end() }()
		before := w.after(70 * time.Second)
		own := w.sim.Model().Start()
		at := sim.Place{Node: own.Node(), Port: own.Num()}
		if err := w.sim.LinkDown(at); err != nil {
			t.Fatal(err)
		}
		s := w.after(3 * time.Minute)
		if s.Connected || s.Lost.IsZero() || !errors.Is(s.Err, watch.ErrIsolated) || s.Fabric != before.Fabric || w.opened() != 1 {
			t.Errorf("cable out, port opened %d times: %+v", w.opened(), s)
		}
		if s.Refresh.Failed < 5 || s.Pass.Count > before.Pass.Count+1 {
			t.Errorf("%d refreshes failed, %d passes after %d", s.Refresh.Failed, s.Pass.Count, before.Pass.Count)
		}
		if err := w.sim.LinkUp(at); err != nil {
			t.Fatal(err)
		}
		w.manager.Sweep()
		if s = w.after(time.Minute); !s.Connected || s.Err != nil || s.Fabric.NumNodes() != before.Fabric.NumNodes() {
			t.Errorf("cable in: %+v", s)
		}
	})
}

// TestSilentNode: a port whose own node does not answer is opened again: the server
// behind it may be another one.
func TestSilentNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, tree(t, 40), sim.Options{}, watch.Options{})
		defer func() { w.end() }()
		before := w.after(70 * time.Second)
		own := w.sim.Model().Start().Node()
		if err := w.sim.KillNode(own); err != nil {
			t.Fatal(err)
		}
		s := w.after(5 * time.Minute)
		if s.Connected || !errors.Is(s.Err, watch.ErrNoStart) || s.Fabric != before.Fabric || w.opened() < 4 || w.opened() > 14 {
			t.Errorf("opened %d times: %+v", w.opened(), s)
		}
		if err := w.sim.ReviveNode(own); err != nil {
			t.Fatal(err)
		}
		w.manager.Sweep()
		if s = w.after(2 * time.Minute); !s.Connected || s.Fabric.NumNodes() != before.Fabric.NumNodes() {
			t.Errorf("alive again: %+v", s)
		}
	})
}

// TestHalfDead: what hangs by dead spines is gone, the rest goes on, and comes back.
func TestHalfDead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := tree(t, 128)
		w := start(t, model, sim.Options{Latency: time.Millisecond}, watch.Options{})
		defer func() { w.end() }()
		all := w.after(70 * time.Second)
		near := model.Start().Remote().Node()
		var dead []*fabric.Node
		i := 0
		for n := range model.Switches() {
			if i++; n != near && i%2 == 0 {
				dead = append(dead, n)
			}
		}
		for _, n := range dead {
			if err := w.sim.KillNode(n); err != nil {
				t.Fatal(err)
			}
		}
		s := w.after(45 * time.Second)
		for _, n := range dead {
			if _, ok := s.Fabric.NodeByGUID(n.GUID()); ok {
				t.Errorf("%s is still there", n.Description())
			}
		}
		if !s.Connected || s.Err != nil || s.Fabric.NumNodes() >= all.Fabric.NumNodes()-len(dead) || s.Fabric.NumNodes() < 10 {
			t.Errorf("%d nodes of %d: %+v", s.Fabric.NumNodes(), all.Fabric.NumNodes(), s)
		}
		stale := 0
		for _, p := range w.after(time.Minute).Totals.Ports {
			if p.Missed > 0 {
				stale++
			}
		}
		if stale == 0 || stale == len(all.Totals.Ports) {
			t.Errorf("counters of %d ports of %d are stale", stale, len(all.Totals.Ports))
		}
		for _, n := range dead {
			if err := w.sim.ReviveNode(n); err != nil {
				t.Fatal(err)
			}
		}
		w.manager.Sweep()
		if s = w.after(2 * time.Minute); s.Fabric.NumNodes() != all.Fabric.NumNodes() {
			t.Errorf("%d nodes of %d have come back", s.Fabric.NumNodes(), all.Fabric.NumNodes())
		}
	})
}

// TestManagers: who is master is known after the next refresh, although the ports that
// have a manager now said before that they have none.
func TestManagers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := begin(t, tree(t, 40), sim.Options{Latency: time.Millisecond}, watch.Options{})
		defer func() { w.end() }()
		w.at = hosts(w.sim.Model())[20].Port(1)
		w.run()
		s := w.after(70 * time.Second)
		first, ok := s.Master()
		if !ok || first.State != ib.SMMaster || first.Activity == 0 {
			t.Fatalf("managers %+v", s.Managers)
		}
		if m, _ := w.after(time.Minute).Master(); m.Activity <= first.Activity || m.LID != first.LID {
			t.Errorf("a minute later %+v", m)
		}
		if err := w.manager.Close(); err != nil {
			t.Fatal(err)
		}
		if s = w.after(time.Minute); len(s.Managers) != 0 || !s.Connected || s.Err != nil {
			t.Errorf("killed: %+v, %v", s.Managers, s.Err)
		}
		if err := w.sim.KillNode(w.sim.Model().Start().Node()); err != nil {
			t.Fatal(err)
		}
		w.manage()
		if m, ok := w.after(40 * time.Second).Master(); !ok || m.Node == first.Node {
			t.Errorf("after the failover: %+v", m)
		}
	})
}
