package api

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/watch"
)

// readTables gives the first fabric the tables that its subnet manager may have set, read
// an hour ago.
func (w *world) readTables() *watch.Routes {
	w.t.Helper()
	f := w.states[0].Fabric
	computed, err := route.New(f, route.Suggest(f, nil), nil)
	if err != nil {
		w.t.Fatal(err)
	}
	r := &watch.Routes{At: began.Add(-time.Hour), Tables: map[ib.GUID]watch.RouteTable{}}
	for sw := range f.Switches() {
		r.Tables[sw.GUID()] = watch.RouteTable{Ports: computed.LFT(sw), At: r.At}
	}
	w.routes(r)
	return r
}

// routes makes a state with tables the present one.
func (w *world) routes(r *watch.Routes) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := *w.states[0]
	s.Number, s.Routes, s.Routing = s.Number+1, r, watch.Run{Count: 1, Started: r.At, Complete: true}
	w.states[0] = &s
}

// with is what is read when the table of a switch is another one.
func with(r *watch.Routes, sw *fabric.Node, t watch.RouteTable) *watch.Routes {
	out := &watch.Routes{At: r.At, Tables: map[ib.GUID]watch.RouteTable{}}
	for g, old := range r.Tables {
		out.Tables[g] = old
	}
	out.Tables[sw.GUID()] = t
	return out
}

// elsewhere is the first host of another leaf.
func (w *world) elsewhere() *fabric.Port {
	for p := range w.states[0].Fabric.Ports() {
		if p.Node().Type() == ib.NodeCA && p.Remote().Node() != w.leaf() {
			return p
		}
	}
	return nil
}

// TestTraceByTables: where tables are known ways are those, with when they were read, the
// errors of ports, and where a table is missing the way ends; else they are computed.
func TestTraceByTables(t *testing.T) {
	w := newWorld(t)
	leaf := w.leaf()
	from, to := leaf.Port(1).Remote(), w.elsewhere()
	path := "/fabrics/main/trace?from=" + from.Node().GUID().String() + "&to=" + to.Node().GUID().String()
	if answer := read[Trace](w, path); answer.Tables != "computed" || !answer.ReadAt.IsZero() {
		t.Errorf("before any table is read: %+v", answer)
	}
	r := w.readTables()
	answer := read[Trace](w, path)
	way := answer.Ways[0]
	if answer.Tables != "read" || !answer.ReadAt.Equal(r.At) || !way.Arrives || len(way.Hops) != 5 {
		t.Fatalf("%+v", answer)
	}
	at := way.Hops[1]
	if *at.In != 1 || at.Out == nil || at.InErrors == nil || *at.InErrors != 77 || at.OutErrors == nil || *at.OutErrors != 0 {
		t.Errorf("at the leaf: %+v", at)
	}
	w.routes(with(r, leaf, watch.RouteTable{At: began, Problem: &fabric.Problem{Kind: fabric.NoReply, GUID: leaf.GUID(), Port: -1}}))
	if answer := read[Trace](w, path); answer.Tables != "read" || answer.Ways[0].Outcome != "unread" || answer.Ways[0].Arrives {
		t.Errorf("where the table of the leaf is missing: %+v", answer)
	}
}

// TestRoutes: ways do not arrive by the two links of the fabric that are not active; a wrong
// entry and a table that is missing are found.
func TestRoutes(t *testing.T) {
	w := newWorld(t)
	if answer, _ := w.get(Prefix + "/fabrics/main/routes"); answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("before any table is read: %s", answer.Status)
	}
	r := w.readTables()
	leaf := w.leaf()
	sound := read[Routes](w, "/fabrics/main/routes")
	if sound.Unreachable != 2 || sound.Total != 2 || sound.Findings[0].Kind != "black-hole" || *sound.Findings[1].At.Port != 2 || len(sound.Unread) > 0 || sound.Ways != sound.Sources*sound.LIDs || !sound.ReadAt.Equal(r.At) || sound.Switches != len(r.Tables) {
		t.Errorf("sound tables: %+v", sound)
	}
	lid := leaf.Port(4).Remote().LID()
	table := append([]uint8(nil), r.Tables[leaf.GUID()].Ports...)
	table[lid] = route.NoPort
	w.routes(with(r, leaf, watch.RouteTable{Ports: table, At: began}))
	lost := read[Routes](w, "/fabrics/main/routes")
	if lost.Total != 3 || lost.Unreachable != 3 || lost.Lost != sound.Lost+sound.Sources {
		t.Fatalf("a LID that a leaf has no port for: %+v", lost)
	}
	i := slices.IndexFunc(lost.Findings, func(f RouteFinding) bool { return f.Kind == "no-route" })
	if i < 0 {
		t.Fatalf("%+v", lost)
	}
	if f := lost.Findings[i]; f.Kind != "no-route" || f.At.GUID != leaf.GUID() || f.LID != lid || f.To == nil || f.To.LID != lid || f.From == nil || len(f.Hops) < 2 {
		t.Errorf("%+v", f)
	}
	if figures, ok := w.api.RouteFigures("main"); !ok || figures.Unreachable != 3 || figures.Unread != 0 {
		t.Errorf("%+v", figures)
	}
	w.routes(with(r, leaf, watch.RouteTable{At: began, Problem: &fabric.Problem{Kind: fabric.NoReply, GUID: leaf.GUID(), Port: -1}}))
	unread := read[Routes](w, "/fabrics/main/routes")
	if unread.Total >= sound.Total || unread.Unknown == 0 || len(unread.Unread) != 1 || unread.Unread[0].GUID != leaf.GUID() || unread.Unread[0].Problem == "" {
		t.Errorf("a table that is missing: %+v", unread)
	}
}

// TestSnapshotRoutes: a snapshot has tables if that is wanted, by the client or else the
// service.
func TestSnapshotRoutes(t *testing.T) {
	for configured, want := range map[bool]map[string]bool{
		false: {"": false, "?routes=true": true}, true: {"": true, "?routes=false": false},
	} {
		w := newWorld(t)
		w.readTables()
		w.api.o.Routes = func() bool { return configured }
		for query, has := range want {
			_, body := w.get(Prefix + "/fabrics/main/snapshot" + query)
			s := readSnapshot(t, body)
			if tables, unread := route.TablesOf(s.Fabric); len(tables) > 0 != has || has && len(unread) > 0 {
				t.Errorf("configured %v, %q: %d tables, %d are missing", configured, query, len(tables), len(unread))
			}
			if len(s.Counters) != len(w.states[0].Totals.Ports) {
				t.Errorf("%d counters", len(s.Counters))
			}
		}
	}
}
