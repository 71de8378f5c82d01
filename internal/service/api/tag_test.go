package api

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/watch"
)

// TestTags asks again with the tag of an answer: there is no other answer until a state,
// an event or the names are new.
func TestTags(t *testing.T) {
	w := newWorld(t)
	var generation uint64
	w.api.o.Names = func(string) (func(*fabric.Node) (string, bool), uint64) { return nil, generation }
	const path = Prefix + "/fabrics/main/links"
	tag := func() string {
		t.Helper()
		answer, _ := w.get(path)
		return answer.Header.Get("ETag")
	}
	first := tag()
	if first == "" || tag() != first {
		t.Fatalf("tags %q and %q of the same state", first, tag())
	}
	for _, header := range []string{first, `"x", ` + first, strings.TrimPrefix(first, "W/"), "*"} {
		answer, body := w.get(path, "If-None-Match", header)
		if answer.StatusCode != http.StatusNotModified || len(body) != 0 {
			t.Errorf("If-None-Match %s: %s, %d bytes", header, answer.Status, len(body))
		}
	}
	seen := map[string]bool{first: true}
	for name, change := range map[string]func(){
		"state": w.renew,
		"event": func() { w.log.Add(event.Event{Kind: event.LinkUp}) },
		"names": func() { generation++ },
	} {
		change()
		now := tag()
		if seen[now] {
			t.Errorf("a new %s has an old tag", name)
		}
		seen[now] = true
		if answer, _ := w.get(path, "If-None-Match", first); answer.StatusCode != http.StatusOK {
			t.Errorf("after a new %s: %s", name, answer.Status)
		}
	}
	if answer, _ := w.get(Prefix + "/events?since=1h"); answer.Header.Get("ETag") != "" {
		t.Error("an answer that depends on the time has a tag")
	}
}

// TestNothingCanBeChanged sends what would change something elsewhere.
func TestNothingCanBeChanged(t *testing.T) {
	w := newWorld(t)
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, "BREW"} {
		out := httptest.NewRecorder()
		w.api.ServeHTTP(out, httptest.NewRequest(method, Prefix+"/fabrics", nil))
		if out.Code != http.StatusMethodNotAllowed || out.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %d %v", method, out.Code, out.Header())
		}
	}
	out := httptest.NewRecorder()
	w.api.ServeHTTP(out, httptest.NewRequest(http.MethodGet, Prefix+"/fabrics", strings.NewReader("x")))
	if out.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("GET with a body: %d", out.Code)
	}
}

// TestForgets makes sure that nothing is kept of fabrics that are gone.
func TestForgets(t *testing.T) {
	w := newWorld(t)
	w.api.Prepare()
	for range 10 {
		w.get(Prefix + "/fabrics/none/nodes")
	}
	read[Fabrics](w, "/fabrics")
	if n := len(w.api.known); n != 2 {
		t.Errorf("%d fabrics are known", n)
	}
	w.states = []*watch.State{}
	w.api.Prepare()
	if n := len(w.api.known); n != 0 {
		t.Errorf("%d fabrics are known of none", n)
	}
}
