package web_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/web"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/watch"
)

func parse(t testing.TB, text string) *fabric.Fabric {
	t.Helper()
	f, err := gen.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// mapOf is the whole of a map as the page gets it.
type mapOf struct {
	Version string
	Nodes   struct{ Name, GUID []string }
	Links   struct{ A, AP, B, BP []int }
	Views   []string
	Start   int
}

type stateOf struct {
	Version string
	Gone    []int
	Rates   []struct{ Text string }
	Links   struct {
		State, Rate, Flags []int
		There, Back        []int64
		Errors             []uint64
		Last               []int64
		Flaps              []int
	}
}

type viewOf struct {
	Version                   string
	W, H                      float64
	Rects, Path, Frames       []float64
	Roles                     []string
	Nodes, NodeStart          []int
	A, B, PathStart           []int
	Links, LinkStart, Curved  []int
	FrameNames, First, Second []string
}

// ask gets a part of a map.
func ask(t testing.TB, m *web.Maps, s *watch.State, query string, into any) *http.Response {
	t.Helper()
	w := httptest.NewRecorder()
	m.Serve(w, httptest.NewRequest(http.MethodGet, "/map"+query, nil), s)
	if w.Code == http.StatusOK {
		if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	return w.Result()
}

func static(f *fabric.Fabric) *watch.State { return watch.Static("fabric", "sim:", f, nil) }

// A map has all nodes and links, and each view has all of them in boxes and edges.
func TestMap(t *testing.T) {
	f := parse(t, "fattree?levels=3&radix=8&hosts=128")
	m, s := web.NewMaps(&web.MapOptions{}), static(f)
	var all mapOf
	ask(t, m, s, "", &all)
	links := 0
	for range f.Links() {
		links++
	}
	if len(all.Nodes.Name) != f.NumNodes() || len(all.Links.A) != links {
		t.Errorf("%d nodes, %d links", len(all.Nodes.Name), len(all.Links.A))
	}
	if len(all.Views) != 3 || all.Start != 2 {
		t.Errorf("views %v, first %d", all.Views, all.Start)
	}
	for number := range all.Views {
		var v viewOf
		ask(t, m, s, "?part=view&view="+string(rune('0'+number)), &v)
		checkView(t, &v, f.NumNodes())
		if v.Version != all.Version {
			t.Errorf("view %d has another version", number)
		}
	}
	for _, query := range []string{"?part=view&view=9", "?part=view&view=-1", "?part=view&view=x", "?part=else"} {
		if r := ask(t, m, s, query, nil); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", query, r.StatusCode)
		}
	}
}

func checkView(t *testing.T, v *viewOf, nodes int) {
	t.Helper()
	seen := make([]bool, nodes)
	for _, n := range v.Nodes {
		seen[n] = true
	}
	for n, ok := range seen {
		if !ok {
			t.Fatalf("node %d is in no box", n)
		}
	}
	boxes, edges := len(v.Roles), len(v.A)
	if len(v.Rects) != 4*boxes || len(v.NodeStart) != boxes+1 || len(v.First) != boxes || len(v.PathStart) != edges+1 || len(v.LinkStart) != edges+1 {
		t.Fatalf("columns do not fit: %d boxes, %d edges", boxes, edges)
	}
	for i := range boxes {
		x, y, w, h := v.Rects[4*i], v.Rects[4*i+1], v.Rects[4*i+2], v.Rects[4*i+3]
		if x < 0 || y < 0 || x+w > v.W+1 || y+h > v.H+1 {
			t.Fatalf("box %d is outside: %v %v %v %v of %v %v", i, x, y, w, h, v.W, v.H)
		}
	}
}

// A fabric that nothing is known of has an empty map.
func TestEmptyMap(t *testing.T) {
	var all mapOf
	var now stateOf
	m, s := web.NewMaps(&web.MapOptions{}), &watch.State{Name: "fabric"}
	ask(t, m, s, "", &all)
	ask(t, m, s, "?part=state", &now)
	if all.Version == "" || now.Version != all.Version || len(all.Nodes.Name) != 0 {
		t.Errorf("%+v, %+v", all, now)
	}
}

// What was there and is gone stays on the map, and is said to be gone.
func TestGone(t *testing.T) {
	before := parse(t, "fattree?levels=2&radix=8&hosts=16")
	after, lost := without(t, before, "node0003 mlx5_0")
	m := web.NewMaps(&web.MapOptions{})
	old, now := static(before), static(after)
	old.At, now.At = time.Unix(1000, 0), time.Unix(1060, 0)
	var first, second, third mapOf
	var state stateOf
	ask(t, m, old, "", &first)
	ask(t, m, now, "", &second)
	ask(t, m, now, "?part=state", &state)
	if len(second.Nodes.Name) != len(first.Nodes.Name) || len(second.Links.A) != len(first.Links.A) {
		t.Fatalf("%d nodes and %d links, before %d and %d", len(second.Nodes.Name), len(second.Links.A), len(first.Nodes.Name), len(first.Links.A))
	}
	if len(state.Gone) != 1 || second.Nodes.GUID[state.Gone[0]] != lost.String() {
		t.Errorf("gone: %v", state.Gone)
	}
	gone := 0
	for i, st := range state.Links.State {
		if st == 3 {
			gone++
			if n := second.Links.A[i]; n != state.Gone[0] && second.Links.B[i] != state.Gone[0] {
				t.Errorf("link %d is gone, and is not of the node", i)
			}
		}
	}
	if gone != 1 {
		t.Errorf("%d links are gone", gone)
	}
	again := *now
	again.Fabric, again.At = parse(t, "fattree?levels=2&radix=8&hosts=16"), time.Unix(1120, 0)
	ask(t, m, &again, "?part=state", &state)
	if ask(t, m, &again, "", &third); third.Version != first.Version || len(state.Gone) != 0 {
		t.Errorf("when it is back: gone %v, version %s, at first %s", state.Gone, third.Version, first.Version)
	}
}

// What has been gone for long is forgotten.
func TestForgotten(t *testing.T) {
	before := parse(t, "fattree?levels=2&radix=8&hosts=16")
	m := web.NewMaps(&web.MapOptions{})
	var all mapOf
	at := time.Unix(1000, 0)
	for i, f := range []func() *fabric.Fabric{
		func() *fabric.Fabric { return before },
		func() *fabric.Fabric { f, _ := without(t, before, "node0003 mlx5_0"); return f },
		func() *fabric.Fabric { f, _ := without(t, before, "node0003 mlx5_0"); return f },
	} {
		s := static(f())
		s.At = at.Add(time.Duration(i) * 25 * time.Hour)
		ask(t, m, s, "", &all)
	}
	if got, want := len(all.Nodes.Name), before.NumNodes()-1; got != want {
		t.Errorf("%d nodes, want %d", got, want)
	}
}

// without is a fabric without one node.
func without(t testing.TB, f *fabric.Fabric, name string) (*fabric.Fabric, ib.GUID) {
	t.Helper()
	b := fabric.NewBuilder()
	of := map[*fabric.Node]*fabric.Node{}
	var lost ib.GUID
	for n := range f.Nodes() {
		if n.Description() == name {
			lost = n.GUID()
			continue
		}
		info, desc := n.RawInfo(), n.RawDescription()
		of[n] = b.AddNode(&info)
		b.SetDescription(of[n], &desc)
		for p := range n.Ports() {
			if data, ok := p.RawInfo(); ok {
				b.SetPortInfo(b.Port(of[n], p.Num()), &data)
			}
		}
	}
	for l := range f.Links() {
		if a, z := of[l.A.Node()], of[l.B.Node()]; a != nil && z != nil {
			b.Link(b.Port(a, l.A.Num()), b.Port(z, l.B.Num()))
		}
	}
	if lost == 0 {
		t.Fatalf("there is no %s", name)
	}
	return b.Build(), lost
}

// Rates, errors and events are those of the link that they are about.
func TestState(t *testing.T) {
	f := parse(t, "fattree?levels=2&radix=8&hosts=16")
	var link fabric.Link
	at := 0
	for l := range f.Links() {
		if at == 5 {
			link = l
			break
		}
		at++
	}
	p := &total.Port{Key: total.Key{Node: link.A.Node().GUID(), Num: link.A.Num()}, Congestion: -1}
	p.Has = counters.SetOf(counters.XmitData, counters.SymbolErrors)
	p.Rated = counters.SetOf(counters.XmitData)
	p.Rates[counters.XmitData], p.Values[counters.SymbolErrors] = 5e9, 42
	s := watch.Static("fabric", "sim:", f, total.NewTable(time.Unix(2000, 0), []*total.Port{p}))
	log := event.NewLog(10, 1)
	e := event.Event{
		Fabric: "fabric", Kind: event.LinkFlap, New: "flapping", Count: 3, Time: time.Unix(1900, 0),
		At: event.End{GUID: link.B.Node().GUID(), Port: link.B.Num()}, To: event.End{GUID: link.A.Node().GUID(), Port: link.A.Num()},
	}
	other := e
	other.Fabric = "another"
	log.Add(e, other)
	m := web.NewMaps(&web.MapOptions{Log: log})
	var got stateOf
	ask(t, m, s, "?part=state", &got)
	const flapping, counted = 2, 8
	for i := range got.Links.State {
		wantThere, wantErrors, wantFlags, wantLast, wantFlaps := int64(0), uint64(0), 0, int64(0), 0
		if i == 5 {
			wantThere, wantErrors, wantFlags, wantLast, wantFlaps = 5e9, 42, flapping|counted, 1900, 3
		}
		l := &got.Links
		if l.There[i] != wantThere || l.Errors[i] != wantErrors || l.Flags[i] != wantFlags || l.Last[i] != wantLast || l.Flaps[i] != wantFlaps {
			t.Errorf("link %d: %d B/s, %d errors, flags %d, last %d, %d flaps", i, l.There[i], l.Errors[i], l.Flags[i], l.Last[i], l.Flaps[i])
		}
	}
	e.Kind, e.New, e.Old = event.FlapEnded, "", "flapping"
	log.Add(e)
	if ask(t, m, s, "?part=state", &got); got.Links.Flags[5] != counted {
		t.Errorf("when it has ended: flags %d", got.Links.Flags[5])
	}
}

// Answers are the same as long as nothing changes, and are not sent again.
func TestAgain(t *testing.T) {
	m, s := web.NewMaps(&web.MapOptions{}), static(parse(t, "fattree?levels=2&radix=8&hosts=16"))
	for _, query := range []string{"", "?part=state", "?part=view&view=0"} {
		tag := ask(t, m, s, query, new(map[string]any)).Header.Get("ETag")
		r := httptest.NewRequest(http.MethodGet, "/map"+query, nil)
		r.Header.Set("If-None-Match", tag)
		w := httptest.NewRecorder()
		if m.Serve(w, r, s); w.Code != http.StatusNotModified {
			t.Errorf("%s: status %d", query, w.Code)
		}
	}
}

// A wide picture is folded, and its edges end at their boxes.
func TestFolded(t *testing.T) {
	m, s := web.NewMaps(&web.MapOptions{}), static(parse(t, "fattree?levels=3&radix=24&hosts=3456"))
	var v viewOf
	ask(t, m, s, "?part=view&view=1", &v)
	checkView(t, &v, s.Fabric.NumNodes())
	if aspect := v.W / v.H; aspect < 1 || aspect > 3 {
		t.Errorf("%v to %v", v.W, v.H)
	}
	for e := range v.A {
		path := v.Path[v.PathStart[e]:v.PathStart[e+1]]
		for end, box := range map[int]int{0: v.A[e], len(path) - 2: v.B[e]} {
			x, y := path[end], path[end+1]
			r := v.Rects[4*box : 4*box+4]
			if x < r[0]-1 || x > r[0]+r[2]+1 || y < r[1]-1 || y > r[1]+r[3]+1 {
				t.Fatalf("edge %d ends at %v %v, its box is %v", e, x, y, r)
			}
		}
	}
}

// BenchmarkMap is the first answer for 10,000 hosts, and each state after it.
func BenchmarkMap(b *testing.B) {
	s := static(parse(b, "fattree?levels=3&radix=36&hosts=10000"))
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			ask(b, web.NewMaps(&web.MapOptions{}), s, "", new(json.RawMessage))
		}
	})
	b.Run("state", func(b *testing.B) {
		m := web.NewMaps(&web.MapOptions{})
		for b.Loop() {
			again := *s
			ask(b, m, &again, "?part=state", new(json.RawMessage))
		}
	})
}
