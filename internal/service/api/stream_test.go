package api

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/event"
)

// follower reads a stream.
type follower struct {
	t      *testing.T
	answer *http.Response
	lines  *bufio.Scanner
	end    context.CancelFunc
}

// follow opens a stream of a server that is reached by pipes, for use in a bubble.
func (w *world) follow(t *testing.T, client *http.Client, query string, headers ...string) *follower {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost"+Prefix+"/events/stream"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return &follower{t, answer, bufio.NewScanner(answer.Body), cancel}
}

// next is the next block of the stream: its lines.
func (f *follower) next() string {
	f.t.Helper()
	var b strings.Builder
	for f.lines.Scan() {
		if f.lines.Text() == "" {
			return b.String()
		}
		b.WriteString(f.lines.Text() + "\n")
	}
	return b.String()
}

func (f *follower) close() {
	f.end()
	_, _ = io.Copy(io.Discard, f.answer.Body)
	f.answer.Body.Close()
}

// pipes is a listener whose connections are pipes.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// serve makes a server and a client of it. The end waits for all that they have begun.
func serve(h http.Handler) (*http.Client, func()) {
	p := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
	s := &http.Server{Handler: h}
	go s.Serve(p) //nolint:errcheck // it ends with the test
	transport := &http.Transport{DialContext: p.dial}
	return &http.Client{Transport: transport}, func() {
		transport.CloseIdleConnections()
		s.Close()
	}
}

func TestStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		client, end := serve(w.api)
		defer end()
		f := w.follow(t, client, "?fabric=main", "Last-Event-ID", "41")
		defer f.close()
		if media := f.answer.Header.Get("Content-Type"); media != streamMedia {
			t.Errorf("it is %s", media)
		}
		if first := f.next(); !strings.HasPrefix(first, ":") {
			t.Errorf("it begins with %q", first)
		}
		if got := f.next(); !strings.HasPrefix(got, "id: 42\nevent: node-renamed\ndata: {") || strings.Contains(got, "<") {
			t.Errorf("after event 41 comes %q", got)
		}
		w.log.Add(event.Event{Fabric: "other", Kind: event.LinkUp}, event.Event{Fabric: "main", Kind: event.LinkDown})
		if got := f.next(); !strings.HasPrefix(got, "id: 45\nevent: link-down\n") {
			t.Errorf("what happens now is %q", got)
		}
		w.renew()
		if got := f.next(); !strings.HasPrefix(got, "event: state\ndata: {\"fabric\":\"main\",\"status\":\"live\"") {
			t.Errorf("a new state is %q", got)
		}
		before := time.Now()
		if got := f.next(); !strings.HasPrefix(got, ":") || time.Since(before) > w.api.o.Heartbeat {
			t.Errorf("when nothing happens there is %q, after %v", got, time.Since(before))
		}
	})
}

// TestStreamMissed follows from an event that is not kept any more.
func TestStreamMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.api.o.Log, w.api.o.History = event.NewLog(2, 1), nil
		for range 5 {
			w.api.o.Log.Add(event.Event{Fabric: "main", Kind: event.LinkUp})
		}
		client, end := serve(w.api)
		defer end()
		f := w.follow(t, client, "?after=1")
		defer f.close()
		f.next()
		if got := f.next(); got != "id: 3\nevent: missed\ndata: {\"missed\":2}\n" {
			t.Errorf("%q", got)
		}
		if got := f.next(); !strings.HasPrefix(got, "id: 4\n") {
			t.Errorf("%q", got)
		}
	})
}

// keptEvents is a history with some events.
type keptEvents struct {
	fakeHistory
	list []event.Event
}

func (h *keptEvents) Events(_ context.Context, q *EventQuery) (list []event.Event, _ error) {
	for _, e := range h.list {
		if e.ID > q.After {
			list = append(list, e)
		}
	}
	return list[:min(len(list), q.Limit)], nil
}

// TestStreamResumes follows from an event of an earlier life of the service, whose later
// ones are in the history but for one.
func TestStreamResumes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.api.o.History = &keptEvents{list: []event.Event{
			{ID: 3, Fabric: "main", Kind: event.LinkDown},
			{ID: 4, Fabric: "other", Kind: event.LinkDown},
			{ID: 5, Fabric: "main", Kind: event.LinkUp},
			{ID: 7, Fabric: "main", Kind: event.NodeAppeared},
		}}
		w.api.o.Log = event.NewLog(10, 7)
		w.api.o.Log.Add(event.Event{Fabric: "main", Kind: event.LinkDown})
		client, end := serve(w.api)
		defer end()
		f := w.follow(t, client, "?fabric=main", "Last-Event-ID", "2")
		defer f.close()
		f.next()
		for _, want := range []string{"id: 3\nevent: link-down\n", "id: 5\nevent: link-up\n", "id: 6\nevent: missed\ndata: {\"missed\":1}\n", "id: 7\nevent: link-down\n"} {
			if got := f.next(); !strings.HasPrefix(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		}
	})
}

// TestStreamOfLostHistory follows from an event that is later than all: it is of an
// earlier life, and nothing of this one is known to the client.
func TestStreamOfLostHistory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.api.o.Log, w.api.o.History = event.NewLog(10, 1), nil
		w.api.o.Log.Add(event.Event{Fabric: "main", Kind: event.LinkDown})
		client, end := serve(w.api)
		defer end()
		f := w.follow(t, client, "", "Last-Event-ID", "18446744073709551615")
		defer f.close()
		f.next()
		if got := f.next(); !strings.HasPrefix(got, "id: 1\n") {
			t.Errorf("%q", got)
		}
	})
}

// TestStreamOfAnotherRun follows from an event of an earlier run, after which IDs began
// anew with the clock: some may have been missed, nobody knows how many. What is gone of
// this run is counted.
func TestStreamOfAnotherRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const first = 1_700_000_000_000
		w := newWorld(t)
		w.api.o.Log, w.api.o.History, w.api.o.Follows = event.NewLog(2, first), nil, false
		client, end := serve(w.api)
		defer end()
		told := func(query string) string {
			f := w.follow(t, client, query)
			defer f.close()
			f.next()
			return strings.Join(strings.Split(f.next(), "\n")[:3], "|")
		}
		w.log = w.api.o.Log
		w.log.Add(event.Event{Fabric: "main", Kind: event.LinkUp})
		if got := told("?after=1699999999990"); got != "id: 1699999999999|event: missed|data: {}" {
			t.Errorf("of an earlier run: %q", got)
		}
		if got := told("?after=0"); !strings.HasPrefix(got, "id: 1700000000000|event: link-up|") {
			t.Errorf("from the start: %q", got)
		}
		w.log.Add(make([]event.Event, 4)...)
		if got := told("?after=0"); got != "id: 1700000000002|event: missed|data: {\"missed\":3}" {
			t.Errorf("from the start, with some that are gone: %q", got)
		}
		if got := told("?after=1700000000000"); got != "id: 1700000000002|event: missed|data: {\"missed\":2}" {
			t.Errorf("of this run: %q", got)
		}
		for after, want := range map[string]uint64{"7": 3, "1700000000001": 1, "1700000000003": 0} {
			if answer := read[Events](w, "/events?after="+after); answer.Missed != want {
				t.Errorf("/events after %s: %d missed, want %d", after, answer.Missed, want)
			}
		}
	})
}

// TestStreamsAreBounded opens one stream more than there may be, and again when one has
// ended.
func TestStreamsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		o := w.api.o
		o.Streams = 2
		a := New(&o)
		client, end := serve(a)
		defer end()
		first, second := w.follow(t, client, ""), w.follow(t, client, "")
		defer second.close()
		third := w.follow(t, client, "")
		if third.answer.StatusCode != http.StatusServiceUnavailable || third.answer.Header.Get("Retry-After") == "" {
			t.Errorf("the third: %s", third.answer.Status)
		}
		third.close()
		first.close()
		synctest.Wait()
		again := w.follow(t, client, "")
		defer again.close()
		if again.answer.StatusCode != http.StatusOK {
			t.Errorf("when one has ended: %s", again.answer.Status)
		}
	})
}

// stuck is a client that takes nothing.
type stuck struct {
	*httptest.ResponseRecorder
	deadline time.Time
}

func (s *stuck) SetWriteDeadline(t time.Time) error { s.deadline = t; return nil }
func (s *stuck) Write([]byte) (int, error) {
	if s.deadline.IsZero() {
		panic("a stream writes without a deadline")
	}
	time.Sleep(time.Until(s.deadline))
	return 0, context.DeadlineExceeded
}

// TestStreamEndsWithoutReader makes sure that who reads nothing holds nothing.
func TestStreamEndsWithoutReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		began := time.Now()
		w.api.ServeHTTP(&stuck{ResponseRecorder: httptest.NewRecorder()}, httptest.NewRequest(http.MethodGet, Prefix+"/events/stream", nil))
		if took := time.Since(began); took != streamPatience {
			t.Errorf("it ended after %v", took)
		}
		if len(w.api.streams) != 0 {
			t.Error("it still counts")
		}
	})
}
