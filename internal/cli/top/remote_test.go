package top

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/service/api"
	"github.com/ibscope/ibscope/internal/service/client"
	"github.com/ibscope/ibscope/watch"
)

// TestRemote makes sure that a service tells the same as the fabric itself, and that
// nothing is sent again that has not changed.
func TestRemote(t *testing.T) {
	s := state(t, "fattree?levels=2&radix=8")
	log := event.NewLog(10, 1)
	up := happened(s)[0]
	up.Fabric = s.Name
	log.Add(up)
	server := httptest.NewServer(api.New(&api.Options{States: func() []*watch.State { return []*watch.State{s} }, Log: log}))
	defer server.Close()
	c, err := client.New(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	name, err := c.Fabric(t.Context())
	if err != nil || name != "fabric" {
		t.Fatalf("the fabric is %q, %v", name, err)
	}
	r := newRemote(c, name, time.Second)
	changed, err := r.ask(t.Context())
	if err != nil || !changed {
		t.Fatalf("the first answer: %v, %v", changed, err)
	}
	want := ofState(s, nil, described)
	if r.frame.hosts != want.hosts || r.frame.switches != want.switches || len(r.frame.events) != 1 {
		t.Errorf("%d hosts, %d switches, %d events; want %d, %d, 1", r.frame.hosts, r.frame.switches, len(r.frame.events), want.hosts, want.switches)
	}
	byEnds := map[[2]string]link{}
	for _, l := range r.frame.links {
		byEnds[[2]string{l.a.guid.String() + number(uint64(l.a.port)), l.b.guid.String()}] = l
	}
	for _, l := range want.links {
		if l.b.guid == 0 {
			continue
		}
		got, ok := byEnds[[2]string{l.a.guid.String() + number(uint64(l.a.port)), l.b.guid.String()}]
		if !ok {
			t.Fatalf("the service does not tell of the link of %s/%d", l.a.name, l.a.port)
		}
		// What counts as an error is for the operator of the service to say, and names
		// are short already.
		for _, e := range []*end{&l.a, &l.b, &got.a, &got.b} {
			e.name = (&settings{}).short(e.name)
			e.errors, e.rising, e.worst = 0, float64(int(e.rising)), ""
		}
		if diff := cmp.Diff(l, got, cmp.AllowUnexported(link{}, end{})); diff != "" {
			t.Fatalf("a link (-fabric +service):\n%s", diff)
		}
	}
	if changed, err := r.ask(t.Context()); err != nil || changed {
		t.Errorf("asked again: changed %v, %v", changed, err)
	}
	server.Close()
	if _, err := r.ask(t.Context()); err == nil {
		t.Error("a service that is gone answers")
	}
}

// hostileLinks is a list of links as nobody honest tells it.
const hostileLinks = `{"at":"9999-12-31T23:59:59Z","items":[
{"state":"\u001b[31mUp","active":{"width":"\u001b]0;x\u0007","speed":"\n","rate_gbps":-1e308},"degraded":true,"best":{"width":"x","speed":"\u202e"},
"a":{"guid":"0xffffffffffffffff","name":"a\u001b[2J\nLONG","port":-9223372036854775808,"xmit_rate":1e308,"rcv_rate":-1e308,"congestion":1e308,
"errors":18446744073709551615,"errors_per_second":1.7e308,"read_at":"0001-01-01T00:00:01Z","worst_error":"\u001b[5m"},
"b":{"guid":"0x1","name":"","port":9223372036854775807,"xmit_rate":1,"rcv_rate":1e-308,"congestion":-5,"errors_per_second":-1}},
{},{"state":"Active","active":{"rate_gbps":0},"a":{"xmit_rate":5,"rcv_rate":5}}]}`

const hostileEvents = `{"items":[{"id":1,"time":"9999-12-31T23:59:59Z","kind":"\u001b[31m\n","severity":"\u0007","at":{"name":"\u001b[2JLONG","port":-7},"old":"\n\r","new":"\u202e"}]}`

// TestHostileService: what it tells can neither stop the screen nor get out of its lines.
func TestHostileService(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text := hostileEvents
		if strings.HasSuffix(r.URL.Path, "/links") {
			text = hostileLinks
		}
		_, _ = io.WriteString(w, strings.ReplaceAll(text, "LONG", long))
	}))
	defer server.Close()
	c, err := client.New(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	r := newRemote(c, "fabric", time.Second)
	if _, err := r.ask(t.Context()); err != nil {
		t.Fatal(err) // it can be decoded: no refuge
	}
	var out strings.Builder
	e := &env.Env{Stdout: &out, Now: time.Now, Getenv: func(string) string { return "" }, IsTerminal: func(any) bool { return false }}
	if err := printScreen(e, &r.frame); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.ContainsAny(text, "\x1b\x07\r\u202e") || strings.Contains(text, "Inf") || strings.Contains(text, "NaN") || len(text) > 10_000 {
		t.Errorf("%d bytes\n%.5000q", len(text), text)
	}
	m := newModel(time.Now())
	m.resize(80, 24)
	m.take(&r.frame)
	for i := range views {
		m.open(i)
		m.fill()
		for _, line := range m.screen() {
			if text := plainText(line); strings.ContainsAny(text, "\x1b\x07\r\n\u202e") || len(text) > 500 {
				t.Errorf("%d bytes: %.300q", len(text), text)
			}
		}
	}
}

// TestRefused: a service that refuses from the beginning is no screen to look at.
func TestRefused(t *testing.T) {
	for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusFound} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		c, err := client.New(server.URL, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := newRemote(c, "fabric", time.Second).run(t.Context(), func(*frame) { t.Errorf("%d: a frame", status) }); err == nil {
			t.Errorf("%d: no error", status)
		}
		server.Close()
	}
}
