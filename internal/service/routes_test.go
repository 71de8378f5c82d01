package service

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/service/api"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/trace"
	"github.com/ibscope/ibscope/sim"
)

// step is a node on a way: where packets come in, and where they leave.
type step struct {
	node    ib.GUID
	in, out int
}

// asked is the way to a LID as the nodes on it tell it, one after the other, as of
// "ibscope trace --live".
func (w *world) asked(from *fabric.Node, to ib.LID) (list []step) {
	w.t.Helper()
	port, err := w.fabric(tree).Attach(nil)
	if err != nil {
		w.t.Fatal(err)
	}
	client := madrpc.New(port, nil)
	defer client.Close()
	var path ib.DRPath
	for n := range w.service.States()[0].Fabric.Nodes() {
		if n.GUID() == from.GUID() {
			path, _ = n.Path()
		}
	}
	t := trace.Tracer{Client: client}
	_, err = t.Unicast(w.t.Context(), path, mad.ByLID(to), trace.Way{
		From: func(s *trace.Stop) { list = append(list, step{node: s.Node.NodeGUID}) },
		Hop: func(out uint8, s *trace.Stop) {
			list[len(list)-1].out = int(out)
			list = append(list, step{node: s.Node.NodeGUID, in: int(s.Num)})
		},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// told is the way as the service has it.
func (w *world) told(from *fabric.Node, to ib.LID) (list []step) {
	w.t.Helper()
	answer := read[api.Trace](w, "/fabrics/a/trace?from=guid:"+from.GUID().String()+"&to=lid:"+to.String())
	if answer.Tables != "read" || answer.ReadAt.IsZero() || !answer.Ways[0].Arrives {
		w.t.Fatalf("%+v", answer)
	}
	for _, h := range answer.Ways[0].Hops {
		s := step{node: h.GUID}
		if h.In != nil {
			s.in = *h.In
		}
		if h.Out != nil {
			s.out = *h.Out
		}
		list = append(list, s)
	}
	return list
}

// compareWays compares the ways between some hosts, and gives one that crosses two
// switches.
func (w *world) compareWays() (crossing []step, from *fabric.Node, to ib.LID) {
	w.t.Helper()
	var ends []*fabric.Node
	for n := range w.fabric(tree).Model().CAs() {
		ends = append(ends, n)
	}
	for i, n := range ends {
		far := ends[len(ends)-1-i]
		if n == far {
			continue
		}
		told, asked := w.told(n, far.Port(1).LID()), w.asked(n, far.Port(1).LID())
		if len(told) != len(asked) {
			w.t.Errorf("%d hops, and %d when nodes are asked", len(told), len(asked))
			continue
		}
		for k := range told {
			if told[k] != asked[k] {
				w.t.Errorf("hop %d is %+v, and %+v when nodes are asked", k, told[k], asked[k])
			}
		}
		if len(told) > 4 {
			crossing, from, to = told, n, far.Port(1).LID()
		}
	}
	return crossing, from, to
}

// TestRoutes: ways are those that packets take, also after a link has failed and the
// manager has routed around it; a check finds nothing, and the events are those of the link.
func TestRoutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.close()
		c := complete(t, "a="+tree)
		c.State, c.Routes = t.TempDir(), true
		w.run(c)
		wait(2 * time.Minute)
		way, from, to := w.compareWays()
		if way == nil {
			t.Fatal("no way crosses two switches")
		}
		at, _ := w.fabric(tree).Model().NodeByGUID(way[1].node)
		if err := w.fabric(tree).LinkDown(sim.Place{Node: at, Port: way[1].out}); err != nil {
			t.Fatal(err)
		}
		w.fabric(tree).manager.Sweep()
		wait(4 * time.Minute)
		w.compareWays()
		if now := w.told(from, to); now[1].node != way[1].node || now[1].out == way[1].out {
			t.Errorf("the way leaves the first switch by %+v, and by %+v while that link was up", now[1], way[1])
		}
		if r := read[api.Routes](w, "/fabrics/a/routes"); r.Total != 0 || r.Unreachable != 0 || r.Ways == 0 || len(r.Unread) > 0 {
			t.Errorf("%+v", r)
		}
		if kinds := w.kinds("a", 0); len(kinds) != 1 || kinds[0] != "link-down" {
			t.Errorf("events: %v", kinds)
		}
		wait(time.Minute)
		f, _, err := w.service.history.FabricAt(t.Context(), "a", time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		stored, unread := route.TablesOf(f)
		if x := route.Examine(f, stored, nil); len(unread) > 0 || len(x.Troubles) > 0 {
			t.Errorf("in history %d tables are missing, and %d things are wrong", len(unread), len(x.Troubles))
		}
	})
}

// TestRoutesOff: without tables ways are computed, and there is no check; history has
// none unless that is wanted.
func TestRoutesOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.close()
		c := complete(t, "a="+tree, "b="+tree)
		c.Fabrics[0].Tables.Every = -1
		c.State = t.TempDir()
		w.run(c)
		wait(2 * time.Minute)
		for name, want := range map[string]string{"a": "computed", "b": "read"} {
			if answer := read[api.Trace](w, "/fabrics/"+name+"/trace?from=lid:1&to=lid:5"); answer.Tables != want {
				t.Errorf("%s: the tables are %s", name, answer.Tables)
			}
		}
		if out := w.ask(api.Prefix + "/fabrics/a/routes"); out.Code != 503 {
			t.Errorf("a check of no tables: %d", out.Code)
		}
		f, _, err := w.service.history.FabricAt(t.Context(), "b", time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		if stored, _ := route.TablesOf(f); len(stored) > 0 {
			t.Errorf("history has %d tables that nobody wants there", len(stored))
		}
	})
}

// TestFirmware: nodes have their firmware in the API, in history and in snapshots.
func TestFirmware(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.close()
		c := complete(t, "a="+tree)
		c.State = t.TempDir()
		w.run(c)
		wait(2 * time.Minute)
		nodes := read[api.Page[api.Node]](w, "/fabrics/a/nodes").Items
		f, _, err := w.service.history.FabricAt(t.Context(), "a", time.Time{})
		if err != nil || len(nodes) == 0 {
			t.Fatal(len(nodes), err)
		}
		for i := range nodes {
			n, ok := f.NodeByGUID(nodes[i].GUID)
			if !ok {
				t.Fatalf("%s is not in history", nodes[i].GUID)
			}
			stored, _ := n.Firmware()
			if nodes[i].Firmware == "" || nodes[i].PSID == "" || stored.Version != nodes[i].Firmware {
				t.Errorf("%s has firmware %q, board %q, and %q in history", nodes[i].Name, nodes[i].Firmware, nodes[i].PSID, stored.Version)
			}
		}
		if kinds := w.kinds("a", 0); len(kinds) > 0 {
			t.Errorf("events: %v", kinds)
		}
	})
}
