package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/fabric"
)

// questions are requests at each endpoint, in all kinds of forms: an endpoint without one
// fails TestAnswersFitTheDocument.
func (w *world) questions() map[string][]string {
	w.readTables()
	leaf := w.leaf().GUID().String()
	host := w.leaf().Port(1).Remote().Node().GUID().String()
	return map[string][]string{
		"/fabrics":                       {"/fabrics"},
		"/fabrics/{fabric}":              {"/fabrics/main", "/fabrics/other"},
		"/fabrics/{fabric}/nodes":        {"/fabrics/main/nodes", "/fabrics/main/nodes?limit=2&offset=1&sort=-errors", "/fabrics/main/nodes?q=nobody", "/fabrics/main/nodes?sort=name&flapping=true"},
		"/fabrics/{fabric}/nodes/{guid}": {"/fabrics/main/nodes/" + leaf, "/fabrics/main/nodes/" + host},
		"/fabrics/{fabric}/ports":        {"/fabrics/main/ports", "/fabrics/main/ports?state=Down", "/fabrics/main/ports?guid=" + leaf + "&port=1"},
		"/fabrics/{fabric}/links":        {"/fabrics/main/links", "/fabrics/main/links?degraded=true", "/fabrics/main/links?sort=-last_flap&limit=3"},
		"/fabrics/{fabric}/problems":     {"/fabrics/main/problems", "/fabrics/main/problems?loss=true"},
		"/fabrics/{fabric}/health":       {"/fabrics/main/health", "/fabrics/main/health?limit=1"},
		"/fabrics/{fabric}/trace":        {"/fabrics/main/trace?from=" + host + "&to=lid:1", "/fabrics/main/trace?from=node0002&to=node0009"},
		"/fabrics/{fabric}/routes":       {"/fabrics/main/routes", "/fabrics/main/routes?limit=1"},
		"/fabrics/{fabric}/diff":         {"/fabrics/main/diff?from=30m", "/fabrics/main/diff?from=2026-03-01T11:30:00Z&to=2026-03-01T11:45:00Z&only=node,link&limit=1"},
		"/fabrics/{fabric}/rates":        {"/fabrics/main/rates?node=" + leaf + "&port=1", "/fabrics/main/rates?node=" + host + "&port=1&since=1772366400"},
		"/fabrics/{fabric}/snapshot":     {"/fabrics/main/snapshot", "/fabrics/main/snapshot?routes=true"},
		"/events":                        {"/events", "/events?after=0&limit=3", "/events?after=0&limit=3&last=true", "/events?fabric=main&kind=link-flap,link-up&severity=warning", "/events?since=2h&guid=" + leaf + "&port=4"},
		"/events/stream":                 {},
		"/openapi.json":                  {"/openapi.json"},
	}
}

// TestAnswersFitTheDocument asks at every endpoint and checks each answer against what
// the document says of it.
func TestAnswersFitTheDocument(t *testing.T) {
	w := newWorld(t)
	v := newValidator(t)
	questions := w.questions()
	paths := Document()["paths"].(object)
	for _, e := range endpoints() {
		list, ok := questions[e.path]
		if !ok {
			t.Errorf("nobody asks for %s", e.path)
		}
		operation := jsonForm(t, paths[Prefix+e.path].(object)["get"])
		for _, path := range list {
			answer, body := w.get(Prefix + path)
			media, _, err := mime.ParseMediaType(answer.Header.Get("Content-Type"))
			if err != nil || answer.StatusCode != http.StatusOK {
				t.Errorf("%s: %s: %s", path, answer.Status, body)
				continue
			}
			told, ok := dig(operation, "responses", "200", "content", media).(map[string]any)
			if !ok {
				t.Errorf("%s: media type %s is not in the document", path, media)
				continue
			}
			if media != jsonMedia {
				continue
			}
			if faults := v.check(told["schema"], body); faults != nil {
				t.Errorf("%s: %s", path, strings.Join(faults, "\n"))
			}
		}
	}
}

// TestRefusalsFitTheDocument does so with what is refused.
func TestRefusalsFitTheDocument(t *testing.T) {
	w := newWorld(t)
	v := newValidator(t)
	schema := map[string]any{"$ref": "#/components/schemas/ErrorAnswer"}
	for _, tt := range []struct {
		path   string
		status int
	}{
		{"/nothing", 404},
		{"/fabrics/none", 404},
		{"/fabrics/none/nodes", 404},
		{"/fabrics/main/nodes/0x1", 404},
		{"/fabrics/main/nodes/zz", 400},
		{"/fabrics/main/nodes?limit=0", 400},
		{"/fabrics/main/nodes?limit=10001", 400},
		{"/fabrics/main/nodes?limit=-1", 400},
		{"/fabrics/main/nodes?limit=1&limit=2", 400},
		{"/fabrics/main/nodes?lid=70000", 400},
		{"/fabrics/main/nodes?degraded=perhaps", 400},
		{"/fabrics/main/nodes?nothing=1", 400},
		{"/fabrics/main/nodes?q=" + strings.Repeat("x", 1001), 400},
		{"/fabrics/main/nodes?%zz", 400},
		{"/fabrics/other/nodes", 503},
		{"/fabrics/other/links", 503},
		{"/fabrics/other/health", 503},
		{"/fabrics/other/snapshot", 503},
		{"/fabrics/main/trace?from=node0001", 400},
		{"/fabrics/main/trace?from=nobody&to=node0002", 404},
		{"/fabrics/main/trace?from=lid:9999&to=node0002", 404},
		{"/fabrics/main/diff", 400},
		{"/fabrics/main/diff?from=2h", 200},
		{"/fabrics/main/diff?from=3h", 404},
		{"/fabrics/main/rates?node=0x1&port=1", 404},
		{"/fabrics/main/rates?node=0x1&port=256", 400},
		{"/fabrics/main/rates?node=0x1&port=1&since=2026-01-01T00:00:00Z&until=2025-01-01T00:00:00Z", 400},
		{"/events?since=tomorrow", 400},
		{"/events?severity=fatal", 400},
		{"/events?after=x", 400},
		{"/events/stream?guid=x", 400},
	} {
		answer, body := w.get(Prefix + tt.path)
		if answer.StatusCode != tt.status {
			t.Errorf("%s: %s, want %d: %s", tt.path, answer.Status, tt.status, body)
		}
		if tt.status == http.StatusOK {
			continue
		}
		if answer.Header.Get("Content-Type") != problemMedia || answer.Header.Get("ETag") != "" {
			t.Errorf("%s: %v", tt.path, answer.Header)
		}
		if faults := v.check(schema, body); faults != nil {
			t.Errorf("%s: %v", tt.path, faults)
		}
	}
}

// TestEvents takes events from memory and from the history, each once and in order.
func TestEvents(t *testing.T) {
	w := newWorld(t)
	history := w.api.o.History.(*fakeHistory)
	for _, tt := range []struct {
		query string
		want  string // IDs, and the next after a semicolon
		asks  bool   // the history is needed
	}{
		{"?limit=3", "21 22 23;23", true},
		{"?after=39&limit=3", "40 41 42;42", true},
		{"?after=41", "42 43;0", false},
		{"?after=43", ";0", false},
		{"?last=true&limit=2", "42 43;0", false},
		{"?last=true&limit=5", "39 40 41 42 43;0", true},
		{"?last=true&limit=3&after=41", "42 43;0", false},
		{"?after=38&kind=link-up", "39 40;0", true},
		{"?kind=link-flap", "41;0", true},
		{"?last=true&limit=2&kind=link-up", "39 40;0", true},
		{"?since=2026-03-01T11:58:30Z&limit=10", "40 41 42 43;0", true},
		{"?since=2026-03-01T12:00:00Z", "42 43;0", true},
	} {
		history.asked = 0
		answer := read[Events](w, "/events"+tt.query)
		var ids []string
		for _, e := range answer.Items {
			ids = append(ids, strconv.FormatUint(e.ID, 10))
		}
		if got := fmt.Sprintf("%s;%d", strings.Join(ids, " "), answer.Next); got != tt.want || (history.asked > 0) != tt.asks || answer.Missed != 0 {
			t.Errorf("%s: %s, want %s; asked the history %d times", tt.query, got, tt.want, history.asked)
		}
	}
	w.api.o.History = nil
	if answer := read[Events](w, "/events?after=30"); answer.Missed != 10 || len(answer.Items) != 3 {
		t.Errorf("without history: %+v", answer)
	}
}

// TestBrokenHistory says that something is wrong, what it is to the log, and nothing of it
// to the client.
func TestBrokenHistory(t *testing.T) {
	w := newWorld(t)
	for err, status := range map[error]int{
		errors.New("disk /dev/sda is on fire"): http.StatusServiceUnavailable, context.DeadlineExceeded: http.StatusGatewayTimeout,
	} {
		var log strings.Builder
		o := w.api.o
		o.History, o.Logger = brokenHistory{err}, slog.New(slog.NewTextHandler(&log, nil))
		a := New(&o)
		for _, path := range []string{"/fabrics/main/diff?from=30m", "/fabrics/main/rates?node=1&port=1", "/events?after=0"} {
			log.Reset()
			answer, body := ask(t, a, Prefix+path)
			if answer.StatusCode != status || strings.Contains(string(body), "disk") {
				t.Errorf("%s with %v: %s %s", path, err, answer.Status, body)
			}
			if !strings.Contains(log.String(), err.Error()) {
				t.Errorf("%s with %v: the log has %q", path, err, log.String())
			}
		}
	}
}

// jsonForm is a value as it is in JSON.
func jsonForm(t *testing.T, v any) (out any) {
	t.Helper()
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// dig is what stands in objects in objects.
func dig(v any, keys ...string) any {
	for _, k := range keys {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	return v
}

// TestAnswersFitTheFabric compares what lists say with the fabric itself.
func TestAnswersFitTheFabric(t *testing.T) {
	w := newWorld(t)
	f := w.states[0].Fabric
	nodes := read[Page[Node]](w, "/fabrics/main/nodes")
	if nodes.Total != f.NumNodes() || len(nodes.Items) != f.NumNodes() || nodes.Next != 0 {
		t.Errorf("%d nodes, %d in the list, next %d", nodes.Total, len(nodes.Items), nodes.Next)
	}
	links := read[Page[Link]](w, "/fabrics/main/links")
	i := 0
	for l := range f.Links() {
		got := links.Items[i]
		if got.A.GUID != l.A.Node().GUID() || *got.A.Port != l.A.Num() || got.B.GUID != l.B.Node().GUID() || *got.B.Port != l.B.Num() {
			t.Errorf("link %d is %v", i, got)
		}
		if got.Degraded != l.IsDegraded() {
			t.Errorf("link %s: degraded %v", got.ID, got.Degraded)
		}
		if one := read[Page[Link]](w, "/fabrics/main/links?id="+got.ID); one.Total != 1 || one.Items[0].ID != got.ID {
			t.Errorf("by the ID %s there are %d links", got.ID, one.Total)
		}
		i++
	}
	if len(links.Items) != i {
		t.Errorf("%d links, want %d", len(links.Items), i)
	}
}

// leafLink is the link of the first leaf at a port.
func (w *world) leafLink(port int) Link {
	w.t.Helper()
	p := w.leaf().Port(port)
	for _, l := range read[Page[Link]](w, "/fabrics/main/links?guid="+w.leaf().GUID().String()).Items {
		for _, e := range []LinkEnd{l.A, l.B} {
			if e.GUID == p.Node().GUID() && *e.Port == port {
				return l
			}
		}
	}
	w.t.Fatalf("no link at port %d", port)
	return Link{}
}

// TestTrouble looks at the links that have something.
func TestTrouble(t *testing.T) {
	w := newWorld(t)
	if l := w.leafLink(1); !l.Degraded || !l.Narrow || l.Slow || l.Active.Width != "1x" || *l.Errors != 77 || *l.ErrorRate != 0.5 {
		t.Errorf("the narrow link: %+v", l)
	}
	if l := w.leafLink(2); !l.Degraded || l.Narrow || !l.Slow || l.Active.Speed != "EDR" || l.Best.Speed != "HDR" {
		t.Errorf("the slow link: %+v", l)
	}
	if l := w.leafLink(4); !l.Flapping || l.Flaps != 3 || !l.LastFlap.Equal(began) {
		t.Errorf("the flapping link: %+v", l)
	}
	l := w.leafLink(5)
	if l.Degraded || l.Flapping || *l.Congestion != 0.25 || l.State != "Active" {
		t.Errorf("a good link: %+v", l)
	}
	// Port 5 sends 5 MB/s over 200 Gb/s.
	for _, e := range []LinkEnd{l.A, l.B} {
		if want := float64(*e.Port) * 1e6 * 8 / 200e9; *e.Utilisation != want {
			t.Errorf("utilisation %v, want %v", *e.Utilisation, want)
		}
		if *e.XmitBytes != 1<<60 {
			t.Errorf("sent %d", *e.XmitBytes)
		}
	}
	port := read[Page[Port]](w, "/fabrics/main/ports?port=1&guid="+w.leaf().GUID().String())
	if c := port.Items[0].Counters; c.Values["symbol_errors"] != 77 || len(c.Saturated) != 1 || c.Saturated[0] != "symbol_errors" {
		t.Errorf("counters: %+v", c)
	}
	health := read[Health](w, "/fabrics/main/health")
	found := map[string]bool{}
	for _, f := range health.Findings {
		found[f.Kind] = true
	}
	for _, kind := range []string{"narrow", "slow", "counters"} {
		if !found[kind] {
			t.Errorf("health does not know of %s: %v", kind, found)
		}
	}
}

// TestFilters asks for parts of lists.
func TestFilters(t *testing.T) {
	w := newWorld(t)
	leaf := w.leaf()
	host := leaf.Port(1).Remote().Node()
	for _, tt := range []struct {
		path string
		want int
	}{
		{"nodes?type=Switch", 12},
		{"nodes?role=leaf", 8},
		{"nodes?role=spine", 4},
		{"nodes?name=leaf*", 8},
		{"nodes?name=LEAF0", 8},
		{"nodes?name=leaf0?", 8},
		{"nodes?name=leaf", 8},
		{"nodes?name=eaf*", 0},
		{"nodes?q=leaf01", 1},
		{"nodes?q=QUANTUM+leaf01", 1},
		{"nodes?q=quantum+node", 0},
		{"nodes?q=" + host.GUID().String(), 1},
		{"nodes?guid=" + host.GUID().String(), 1},
		{"nodes?lid=" + decimal(int(host.Port(1).LID())), 1},
		{"nodes?q=" + decimal(int(leaf.Port(0).LID())) + "&guid=" + leaf.GUID().String(), 1},
		{"nodes?degraded=true", 3},
		{"nodes?flapping=true", 2},
		{"nodes?errors=true", 1},
		{"nodes?flapping=true&type=CA", 1},
		{"nodes?q=script", 1},
		{"nodes?q=" + url.QueryEscape("\u202e"), 1},
		{"links?degraded=true", 2},
		{"links?degraded=true&guid=" + host.GUID().String(), 1},
		{"links?flapping=true", 1},
		{"links?errors=true", 1},
		{"links?errors=false&degraded=true", 1},
		{"links?tier=0&name=leaf01", 4 - 1},
		{"links?tier=1&name=leaf01", 4},
		{"links?tier=1&role=host", 0},
		{"ports?guid=" + leaf.GUID().String() + "&state=Down", 1},
		{"ports?type=CA&degraded=true", 2},
		{"ports?errors=true", 1},
		{"problems?kind=none-such", 0},
	} {
		answer := read[Page[json.RawMessage]](w, "/fabrics/main/"+tt.path)
		if answer.Total != tt.want || len(answer.Items) != tt.want {
			t.Errorf("%s: %d, want %d: %s", tt.path, answer.Total, tt.want, answer.Items)
		}
	}
}

// TestPages goes through a list part by part.
func TestPages(t *testing.T) {
	w := newWorld(t)
	var names []string
	for offset := 0; ; {
		page := read[Page[Node]](w, "/fabrics/main/nodes?sort=name&limit=7&offset="+decimal(offset))
		for _, n := range page.Items {
			names = append(names, n.Name)
		}
		if page.Next == 0 {
			break
		}
		offset = page.Next
	}
	if len(names) != w.states[0].Fabric.NumNodes() {
		t.Errorf("%d names", len(names))
	}
	for i := 1; i < len(names); i++ {
		if compareNames(names[i-1], names[i]) > 0 {
			t.Errorf("%s comes before %s", names[i-1], names[i])
		}
	}
	if page := read[Page[Node]](w, "/fabrics/main/nodes?offset=1000"); len(page.Items) != 0 || page.Next != 0 {
		t.Errorf("behind the end: %+v", page)
	}
}

// TestSort wants the highest first, and what has no value last.
func TestSort(t *testing.T) {
	w := newWorld(t)
	list := read[Page[Link]](w, "/fabrics/main/links?sort=-utilisation").Items
	for i := 1; i < len(list); i++ {
		before, now := list[i-1].Utilisation, list[i].Utilisation
		if before == nil && now != nil || before != nil && now != nil && *before < *now {
			t.Errorf("%v comes before %v", before, now)
		}
	}
	if first := read[Page[Link]](w, "/fabrics/main/links?sort=-errors").Items[0]; *first.Errors != 77 {
		t.Errorf("the worst link has %d errors", *first.Errors)
	}
}

// TestTrace follows a way to its end.
func TestTrace(t *testing.T) {
	w := newWorld(t)
	from := w.leaf().Port(4).Remote()
	to := w.elsewhere()
	answer := read[Trace](w, "/fabrics/main/trace?from="+from.Node().GUID().String()+"/1&to=lid:"+decimal(int(to.LID())))
	way := answer.Ways[0]
	if !way.Arrives || len(way.Hops) != 5 || way.Hops[4].GUID != to.Node().GUID() || way.Hops[1].GUID != w.leaf().GUID() {
		t.Fatalf("%+v", answer)
	}
	for i, hop := range way.Hops[:4] {
		l := read[Page[Link]](w, "/fabrics/main/links?id="+hop.Link).Items[0]
		if l.A.GUID != hop.GUID && l.B.GUID != hop.GUID || l.A.GUID != way.Hops[i+1].GUID && l.B.GUID != way.Hops[i+1].GUID {
			t.Errorf("hop %d takes link %s, which does not lead to the next", i, hop.Link)
		}
	}
}

// TestSnapshotCanBeRead reads what is downloaded.
func TestSnapshotCanBeRead(t *testing.T) {
	w := newWorld(t)
	_, body := w.get(Prefix + "/fabrics/main/snapshot")
	f := readSnapshot(t, body)
	want := w.states[0].Fabric
	if f.Fabric.NumNodes() != want.NumNodes() || len(f.Counters) != len(w.states[0].Totals.Ports) {
		t.Errorf("%d nodes, %d counters", f.Fabric.NumNodes(), len(f.Counters))
	}
	var found *fabric.Node
	for n := range f.Fabric.Nodes() {
		if n.Description() == evil {
			found = n
		}
	}
	if found == nil {
		t.Error("the evil node is not as it was")
	}
}
