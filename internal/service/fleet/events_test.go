package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"github.com/ibscope/ibscope/event"
)

// eventually waits for something that other processes do.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(60 * time.Second); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it does not come to it that %s", what)
		}
	}
}

// member is a collector in this process.
type member struct {
	*Fleet
	log *event.Log
	end func()
}

func join(t *testing.T, s *server, name string, change func(*Options)) *member {
	t.Helper()
	o := &Options{URL: s.url, Name: name, Dir: t.TempDir(), Fabrics: []string{"rail1"}}
	if change != nil {
		change(o)
	}
	f, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	m := &member{Fleet: f, log: event.NewLog(1000, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- f.Run(ctx, m.log) }()
	m.end = func() {
		if ctx.Err() == nil {
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("Run ended with %v", err)
			}
			f.Close()
		}
	}
	t.Cleanup(m.end)
	eventually(t, "it is connected", f.conn.IsConnected)
	return m
}

// see has a member find an event, as a Detector would, and tells whether it is a duplicate.
func (m *member) see(t *testing.T, e event.Event) bool {
	t.Helper()
	events := []event.Event{e}
	if err := m.Mark(t.Context(), events); err != nil {
		t.Fatal(err)
	}
	m.log.Add(events...)
	return events[0].Duplicate
}

// TestMark: what three collectors see is told once, and what happens again is told again.
func TestMark(t *testing.T) {
	s := startServer(t)
	a, b, c := join(t, s, "a", nil), join(t, s, "b", nil), join(t, s, "c", nil)
	start := time.Now()
	down := func(port int, since, until time.Duration) event.Event {
		return event.Event{
			Fabric: "rail1", Kind: event.LinkDown, Severity: event.Critical, At: event.End{GUID: 1, Port: port}, To: event.End{GUID: 2, Port: 1},
			Since: start.Add(since), Time: start.Add(until),
		}
	}
	for i, tt := range []struct {
		by        *member
		e         event.Event
		duplicate bool
	}{
		{a, down(1, 0, 30*time.Second), false},
		{b, down(1, 10*time.Second, 40*time.Second), true},
		{b, down(2, 10*time.Second, 40*time.Second), false},
		{c, down(1, -10*time.Second, 20*time.Second), true},
		{b, down(1, 70*time.Second, 100*time.Second), false}, // again
		{a, down(1, 60*time.Second, 90*time.Second), true},
		{c, down(1, 20*time.Second, 50*time.Second), true}, // late
		{a, down(1, 0, 30*time.Second), false},             // its own, after a restart
	} {
		if got := tt.by.see(t, tt.e); got != tt.duplicate {
			t.Errorf("event %d: duplicate %v", i, got)
		}
	}
	lost := event.Event{Fabric: "rail1", Kind: event.FabricLost, Time: start}
	if a.see(t, lost) || b.see(t, lost) {
		t.Error("that a collector has lost the fabric is its own affair")
	}
}

// TestPublish: all events are in the stream once, whatever becomes of the server and of
// the collector in between, and the marks with them.
func TestPublish(t *testing.T) {
	s := startServer(t)
	dir := t.TempDir()
	same := func(o *Options) { o.Dir = dir }
	a := join(t, s, "a", same)
	add := func(n int) {
		for range n {
			a.log.Add(event.Event{Fabric: "rail1", Kind: event.LinkDown, Severity: event.Critical, At: event.End{GUID: 1, Port: 1}, Time: time.Now(), Duplicate: n == 2})
		}
	}
	eventually(t, "Run follows the log", func() bool { add(1); time.Sleep(5 * time.Millisecond); return a.queue.Newest() > 0 })
	eventually(t, "they are published", func() bool { return a.Stats().Queued == 0 && a.Stats().Published > 0 })
	s.stop()
	add(2) // while the server is gone
	eventually(t, "they are in the queue", func() bool { return a.queue.Newest() == a.log.Last() })
	last := a.log.Last()
	a.end()
	s.start()
	a = join(t, s, "a", same)
	eventually(t, "they are published", func() bool { return a.Stats().Queued == 0 })
	messages := s.stored(s.client())
	ids, duplicates := map[uint64]bool{}, 0
	for _, m := range messages {
		var e event.Event
		if err := json.Unmarshal(m.Data(), &e); err != nil {
			t.Fatal(err)
		}
		ids[e.ID] = true
		if e.Duplicate {
			duplicates++
		}
		if m.Subject() != "ibscope.events.rail1.link-down" || m.Headers().Get(CollectorHeader) != "a" {
			t.Errorf("%s %v", m.Subject(), m.Headers())
		}
	}
	if first := messages[0]; len(ids) != len(messages) || duplicates != 2 || !ids[last] || first == nil {
		t.Errorf("%d messages with %d events up to %d, %d duplicates", len(messages), len(ids), last, duplicates)
	}
}

// TestTakeOver: what one collector has told first and takes with it to its grave is told
// by another one.
func TestTakeOver(t *testing.T) {
	s := startServer(t)
	a := join(t, s, "a", nil)
	b := join(t, s, "b", func(o *Options) { o.Interval = time.Second })
	eventually(t, "Run follows the log", func() bool {
		b.log.Add(event.Event{Fabric: "rail1", Kind: event.FabricBack, Time: time.Now()})
		time.Sleep(5 * time.Millisecond)
		return b.queue.Newest() > 0
	})
	e := event.Event{Fabric: "rail1", Kind: event.LinkDown, At: event.End{GUID: 1, Port: 1}, To: event.End{GUID: 2, Port: 1}, Time: time.Now()}
	first := []event.Event{e}
	if err := a.Mark(t.Context(), first); err != nil || first[0].Duplicate {
		t.Fatal(first, err)
	}
	a.end() // before it was added to the log
	if !b.see(t, e) {
		t.Fatal("it was not told by another one")
	}
	eventually(t, "it is told again", func() bool {
		events, _ := b.log.Since(0)
		last := events[len(events)-1]
		return last.Kind == event.LinkDown && !last.Duplicate
	})
	js := s.client()
	eventually(t, "both are published", func() bool { return b.Stats().Queued == 0 })
	originals := 0
	for _, m := range s.stored(js) {
		var e event.Event
		if json.Unmarshal(m.Data(), &e) == nil && e.Kind == event.LinkDown && !e.Duplicate {
			originals++
		}
	}
	if originals != 1 {
		t.Errorf("%d originals", originals)
	}
}

// TestSnapshot: a snapshot of any size is there for others to read.
func TestSnapshot(t *testing.T) {
	s := startServer(t)
	text := bytes.Repeat([]byte("0123456789"), 300_000)
	a := join(t, s, "a", func(o *Options) {
		o.Snapshot = func(_ context.Context, fabric string, to io.Writer) (bool, error) {
			if fabric != "rail1" {
				return false, nil
			}
			_, err := to.Write(text)
			return true, err
		}
	})
	for range 2 {
		if err := a.PublishSnapshot(t.Context(), "rail1"); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.PublishSnapshot(t.Context(), "rail2"); err != nil {
		t.Error(err)
	}
	store, err := s.client().ObjectStore(t.Context(), SnapshotBucket)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := store.GetBytes(t.Context(), "rail1"); err != nil || !bytes.Equal(got, text) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if got := a.Stats().Snapshots; got != 2 {
		t.Errorf("%d snapshots", got)
	}
}

// TestWithoutServer: without a server nothing waits for it.
func TestWithoutServer(t *testing.T) {
	f, err := New(&Options{URL: "nats://127.0.0.1:1", Name: "a", Dir: t.TempDir(), Fabrics: []string{"rail1"}, Share: true, Alone: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	events := []event.Event{{Fabric: "rail1", Kind: event.LinkDown}}
	if err := f.Mark(t.Context(), events); err != nil || events[0].Duplicate {
		t.Errorf("%v, %v", events, err)
	}
	if s := f.Stats(); s.Connected || !s.Fabrics[0].Alone || !f.leases["rail1"].owns(7) {
		t.Errorf("%+v", s)
	}
}

func TestConfigure(t *testing.T) {
	for _, change := range []func(*Options){
		func(o *Options) { o.Name = "A B" }, func(o *Options) { o.URL = "" }, func(o *Options) { o.Fabrics = []string{"a.b"} },
		func(o *Options) { o.Interval = 1 }, func(o *Options) { o.Shares = 1000 },
	} {
		o := &Options{URL: "nats://127.0.0.1:1", Name: "a", Dir: t.TempDir(), Fabrics: []string{"rail1"}}
		change(o)
		var of *Error
		if _, err := New(o); !errors.Is(err, os.ErrInvalid) || !errors.As(err, &of) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestToken(t *testing.T) {
	for in, want := range map[string]string{"": "_", "rail1": "rail1", "a.b*c>d e\x1bé": "a_b_c_d_e__"} {
		if got := token(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
