package top

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/event"
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
