package watch_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/watch"
)

var hourly = watch.Pace{Every: time.Hour}

// blocks are how many blocks of forwarding tables were asked for.
func (c *counting) blocks() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sent[asked{mad.ClassSubnDirected, smp.AttrLinearForwardingTable}]
}

// inTables is how many blocks the tables of a fabric have.
func inTables(f *fabric.Fabric) (blocks int) {
	for sw := range f.Switches() {
		info, _ := sw.SwitchInfo()
		blocks += int(info.LinearFDBTop)/smp.LIDsPerBlock + 1
	}
	return blocks
}

// wrongEntries are those that are not what the manager has set, of the switches that the
// simulator and a state know.
func (w *world) wrongEntries(s *watch.State) (wrong int) {
	tables, _ := s.Routes.LFTs(s.Fabric)
	for sw := range w.sim.Model().Switches() {
		n, ok := s.Fabric.NodeByGUID(sw.GUID())
		if !ok {
			continue
		}
		for p := range s.Fabric.Ports() {
			if lid := p.LID(); lid != 0 && tables.Next(n, lid) != w.manager.Next(sw, lid) {
				wrong++
			}
		}
	}
	return wrong
}

// TestRoutes: tables are read after the first sweep and each hour, and are those that the
// manager has set; what has not changed is shared.
func TestRoutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := begin(t, tree(t, 40), sim.Options{Latency: time.Millisecond}, watch.Options{Routes: hourly})
		defer func() { w.end() }()
		c := w.count()
		w.run()
		s := w.after(time.Minute)
		if want := inTables(s.Fabric); c.blocks() != want || s.Routing.Requests != want || !s.Routing.Complete || s.Routing.Count != 1 {
			t.Errorf("%d requests for %d blocks: %+v", c.blocks(), want, s.Routing)
		}
		if n := w.wrongEntries(s); n > 0 {
			t.Errorf("%d entries are not those of the manager", n)
		}
		again := w.after(time.Hour)
		if again.Routing.Count != 2 || again.Routing.Started.Sub(s.Routing.Started) != time.Hour {
			t.Errorf("after an hour: %+v", again.Routing)
		}
		for guid, table := range s.Routes.Tables {
			now := again.Routes.Tables[guid]
			if &now.Ports[0] != &table.Ports[0] || !now.At.After(table.At) {
				t.Errorf("%s: a table that has not changed takes new memory, or is as old as before", guid)
			}
		}
	})
}

// TestNoRoutes: nobody reads tables unless that is asked for.
func TestNoRoutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := begin(t, tree(t, 16), sim.Options{Latency: time.Millisecond}, watch.Options{})
		defer func() { w.end() }()
		c := w.count()
		w.run()
		if s := w.after(2 * time.Hour); c.blocks() > 0 || s.Routes != nil || s.Routing.Count > 0 {
			t.Errorf("%d blocks that nobody wants: %+v", c.blocks(), s.Routing)
		}
	})
}

// TestReroute: after a link between switches has failed, and the manager routes around
// it, the tables are read again, twice, and lead no packet over it.
func TestReroute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, tree(t, 40), sim.Options{Latency: time.Millisecond}, watch.Options{Routes: hourly})
		defer func() { w.end() }()
		w.after(6 * time.Minute)
		link := betweenSwitches(w.sim.Model())
		_ = w.sim.LinkDown(link)
		w.manager.Sweep()
		// A switch tells of the change until the manager has seen it, or its turn comes.
		s := w.after(40 * time.Minute)
		if s.Routing.Count != 3 {
			t.Errorf("read %d times", s.Routing.Count)
		}
		if n := w.wrongEntries(s); n > 0 {
			t.Errorf("%d entries are not those of the manager", n)
		}
		tables, unread := s.Routes.LFTs(s.Fabric)
		x := route.Examine(s.Fabric, tables, nil)
		if len(x.Troubles) > 0 || len(unread) > 0 {
			t.Errorf("%d troubles, %d tables that are not known: %+v", len(x.Troubles), len(unread), x.Troubles)
		}
		at, _ := s.Fabric.NodeByGUID(link.Node.GUID())
		for lid := range ib.LID(len(tables[at])) {
			if int(tables[at][lid]) == link.Port {
				t.Errorf("LID %d still goes over the link that is down", lid)
			}
		}
	})
}

func betweenSwitches(f *fabric.Fabric) sim.Place {
	for l := range f.Links() {
		if l.A.Node().Type() == ib.NodeSwitch && l.B.Node().Type() == ib.NodeSwitch {
			return sim.Place{Node: l.A.Node(), Port: l.A.Num()}
		}
	}
	return sim.Place{}
}

// TestRoutesFlapping: links that fail and come back all the time do not have tables be
// read all the time; a host that is restarted has them be read when it is back.
func TestRoutesFlapping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, tree(t, 16), sim.Options{Latency: time.Millisecond}, watch.Options{Routes: watch.Pace{Every: 24 * time.Hour}})
		defer func() { w.end() }()
		w.after(6 * time.Minute)
		host := sim.Place{Node: hosts(w.sim.Model())[3], Port: 1}
		_ = w.sim.LinkDown(host)
		if s := w.after(20 * time.Minute); s.Routing.Count != 1 {
			t.Errorf("a host that is gone: read %d times", s.Routing.Count)
		}
		_ = w.sim.LinkUp(host)
		w.manager.Sweep()
		s := w.after(20 * time.Minute)
		if s.Routing.Count != 3 {
			t.Errorf("a host that is back: read %d times", s.Routing.Count)
		}
		link := betweenSwitches(w.sim.Model())
		for range 60 {
			_ = w.sim.LinkDown(link)
			w.watcher.Trigger(watch.Verification)
			w.after(30 * time.Second)
			_ = w.sim.LinkUp(link)
			w.manager.Sweep()
			w.watcher.Trigger(watch.Verification)
			w.after(30 * time.Second)
		}
		if n := w.watcher.State().Routing.Count - s.Routing.Count; n < 8 || n > 24 {
			t.Errorf("read %d times in an hour in which a link flaps each minute", n)
		}
	})
}

// TestRoutesOfSilentSwitch: the table of a switch that does not tell it is not known, and
// said to be so; the others are.
func TestRoutesOfSilentSwitch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := tree(t, 40)
		silent := slices.Collect(model.Switches())[4]
		w := begin(t, model, sim.Options{
			Latency: time.Millisecond, Faults: []sim.Fault{{Kind: sim.DeadSMA, Node: silent.GUID(), Attr: smp.AttrLinearForwardingTable}},
		}, watch.Options{Routes: hourly})
		defer func() { w.end() }()
		w.run()
		s := w.after(2 * time.Minute)
		tables, unread := s.Routes.LFTs(s.Fabric)
		if len(unread) != 1 || unread[0].GUID() != silent.GUID() || tables.Knows(unread[0]) || s.Routing.Complete || s.Routing.Problems != 1 || s.Routing.Err != nil {
			t.Fatalf("not known are %v: %+v", unread, s.Routing)
		}
		if p := s.Routes.Tables[silent.GUID()].Problem; p == nil || p.Kind != fabric.NoReply || p.GUID != silent.GUID() {
			t.Errorf("the problem is %v", p)
		}
		for sw := range s.Fabric.Switches() {
			if sw.GUID() != silent.GUID() && !tables.Knows(sw) {
				t.Errorf("the table of %s is not known either", sw.Description())
			}
		}
	})
}

// TestRoutesDeadline: a reading that ends early keeps what it has, and the next one goes
// on from there.
func TestRoutesDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := begin(t, tree(t, 40), sim.Options{Latency: time.Millisecond}, watch.Options{
			Refresh: watch.Pace{Every: -1}, Counters: watch.Pace{Every: -1}, Routes: watch.Pace{Every: 4 * time.Minute, Deadline: 2 * time.Second},
			Client: madrpc.Options{Rate: 10}, Verify: watch.Pace{Every: -1},
		})
		defer func() { w.end() }()
		w.run()
		complete := 0
		w.after(10 * time.Minute)
		for _, s := range w.all() {
			if s.Cause != watch.Routing {
				continue
			}
			known, _ := s.Routes.LFTs(s.Fabric)
			if s.Routing.Err == nil {
				t.Errorf("reading %d came to its end in time: %+v", s.Routing.Count, s.Routing)
			}
			if s.Routing.Problems > 0 {
				t.Errorf("%d switches are said not to answer: %+v", s.Routing.Problems, s.Routing)
			}
			if len(known) == s.Fabric.NumNodes()-40 {
				complete++
			}
		}
		if complete == 0 {
			t.Error("never were all tables known")
		}
	})
}
