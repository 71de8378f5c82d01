package service

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/service/api"
	"github.com/ibscope/ibscope/internal/service/history"
	"github.com/ibscope/ibscope/sim"
)

// TestDay lets the whole service run for a day: it watches, keeps history,
// answers clients, and links go down and come back. Memory stays flat, and
// neither goroutines nor descriptors become more.
func TestDay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.close()
		c := complete(t, "a="+tree)
		c.Fabrics[0].Refresh.Every, c.Fabrics[0].Counters.Every = 4*time.Minute, 10*time.Minute
		c.State, c.Events.Kept = t.TempDir(), 64
		w.run(c)
		wait(time.Minute)
		clients := newClients(w)
		defer clients.close()
		link := innerLink(w.fabric(tree).Model())
		var early, late usage
		for hour := range 24 {
			at := sim.Place{Node: link.A.Node(), Port: link.A.Num()}
			if err := w.fabric(tree).LinkDown(at); err != nil {
				t.Fatal(err)
			}
			wait(10 * time.Minute)
			if err := w.fabric(tree).LinkUp(at); err != nil {
				t.Fatal(err)
			}
			for range 5 {
				wait(10 * time.Minute)
				clients.ask()
			}
			switch hour {
			case 3: // caches and pools are filled by now
				early = measure()
			case 23:
				late = measure()
			}
		}
		if late.goroutines > early.goroutines || late.files > early.files {
			t.Errorf("goroutines and descriptors: %d and %d, later %d and %d", early.goroutines, early.files, late.goroutines, late.files)
		}
		const slack = 2 << 20
		if late.heap > early.heap+slack {
			t.Errorf("memory in use: %d bytes, later %d", early.heap, late.heap)
		}
		t.Logf("memory in use: %d kB, later %d kB; %d goroutines, %d descriptors", early.heap>>10, late.heap>>10, late.goroutines, late.files)
		kinds := w.kinds("a", 0)
		if n := count(kinds, "link-down"); n == 0 {
			t.Errorf("events: %v", kinds)
		}
		if s := w.service.history.Status(); s.Err != nil || s.LostEvents != 0 {
			t.Errorf("history: %+v", s)
		}
	})
}

func count(list []string, word string) (n int) {
	for _, s := range list {
		if s == word {
			n++
		}
	}
	return n
}

// innerLink is a link between switches.
func innerLink(f *fabric.Fabric) (link fabric.Link) {
	for l := range f.Links() {
		if l.A.Node().Type() == ib.NodeSwitch && l.B.Node().Type() == ib.NodeSwitch {
			link = l
		}
	}
	return link
}

// usage is what a process uses.
type usage struct {
	heap              uint64
	goroutines, files int
}

func measure() usage {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		files = nil // elsewhere than on Linux
	}
	return usage{m.HeapInuse, runtime.NumGoroutine(), len(files)}
}

// clients ask the service as people and programs do.
type clients struct {
	w    *world
	tags map[string]string
	end  context.CancelFunc
	done sync.WaitGroup
}

func newClients(w *world) *clients {
	ctx, cancel := context.WithCancel(w.t.Context())
	c := &clients{w: w, tags: map[string]string{}, end: cancel}
	c.done.Go(func() {
		r := httptest.NewRequest(http.MethodGet, "http://localhost"+api.Prefix+"/events/stream", nil)
		w.service.Handler().ServeHTTP(&endless{header: http.Header{}}, r.WithContext(ctx))
	})
	return c
}

// ask asks for everything, and again with the tags of the answers.
func (c *clients) ask() {
	for _, path := range []string{
		"/metrics", "/metrics", api.Prefix + "/fabrics", api.Prefix + "/fabrics/a/nodes", api.Prefix + "/fabrics/a/links?sort=-utilisation", api.Prefix + "/fabrics/a/ports",
		api.Prefix + "/fabrics/a/health", api.Prefix + "/events", api.Prefix + "/fabrics/a/map", api.Prefix + "/fabrics/a/map?part=state", api.Prefix + "/fabrics/a/diff?from=1h",
	} {
		out := c.w.ask(path, "If-None-Match", c.tags[path], "Accept-Encoding", "gzip")
		if out.Code != http.StatusOK && out.Code != http.StatusNotModified && out.Code != http.StatusNotFound {
			c.w.t.Errorf("%s: %d %s", path, out.Code, out.Body)
		}
		c.tags[path] = out.Header().Get("ETag")
	}
}

func (c *clients) close() {
	c.end()
	c.done.Wait()
}

// endless is the writer of a stream that nobody keeps.
type endless struct{ header http.Header }

func (e *endless) Header() http.Header              { return e.header }
func (e *endless) WriteHeader(int)                  {}
func (e *endless) Write(b []byte) (int, error)      { return len(b), nil }
func (e *endless) FlushError() error                { return nil }
func (e *endless) SetWriteDeadline(time.Time) error { return nil }

// TestRestart begins with what was known before, and counts events on.
func TestRestart(t *testing.T) {
	state := t.TempDir()
	var last uint64
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.close()
		c := complete(t, "a="+tree)
		c.State = state
		w.run(c)
		wait(time.Minute)
		link := innerLink(w.fabric(tree).Model())
		if err := w.fabric(tree).LinkDown(sim.Place{Node: link.A.Node(), Port: link.A.Num()}); err != nil {
			t.Fatal(err)
		}
		wait(time.Minute)
		last = read[api.Events](w, "/events").Last
		if last == 0 {
			t.Fatal("no events")
		}
	})
	if _, err := os.Stat(filepath.Join(state, history.FileName)); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.close()
		w.fabric(tree)
		w.broken[tree] = os.ErrNotExist
		c := complete(t, "a="+tree)
		c.State = state
		w.run(c)
		wait(time.Second)
		s := w.status()["a"]
		if s.Counts == nil || s.Counts.Nodes != w.fabric(tree).Model().NumNodes() {
			t.Errorf("what was known is not there: %+v", s)
		}
		old := read[api.Events](w, "/events?after=0")
		if !slices.ContainsFunc(old.Items, func(e api.Event) bool { return e.Kind == "link-down" && e.ID <= last }) {
			t.Errorf("earlier events are not there: %+v", old)
		}
		w.lose(tree, nil)
		wait(5 * time.Minute)
		events := read[api.Events](w, "/events")
		if events.Last <= last {
			t.Errorf("after event %d comes %d", last, events.Last)
		}
		// The link that was down is up again, which is seen as a change since then.
		if got := w.kinds("a", last); !slices.Contains(got, "link-up") && !slices.Contains(got, "link-added") {
			t.Errorf("events since: %v", got)
		}
	})
}
