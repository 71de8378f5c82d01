package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/internal/service/spool"
)

// receiver is the other side: it keeps what it takes.
type receiver struct {
	mu       sync.Mutex
	answers  []func(http.ResponseWriter) // to the next requests; then all are taken
	requests []*http.Request
	bodies   [][]byte
	times    []time.Time
	events   []event.Event
	took     chan struct{}
}

func newReceiver() *receiver { return &receiver{took: make(chan struct{}, 1000)} }

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests, r.bodies, r.times = append(r.requests, req), append(r.bodies, body), append(r.times, time.Now())
	if len(r.answers) > 0 {
		answer := r.answers[0]
		r.answers = r.answers[1:]
		answer(w)
		return
	}
	var doc struct {
		Schema  string
		Version int
		Events  []event.Event
	}
	if err := json.Unmarshal(body, &doc); err != nil || doc.Schema != "ibscope.events" || doc.Version != 1 {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.events = append(r.events, doc.Events...)
	r.took <- struct{}{}
}

// RoundTrip makes a receiver a transport of its own, for virtual time.
func (r *receiver) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	w := httptest.NewRecorder()
	r.ServeHTTP(w, req)
	return w.Result(), nil
}

func (r *receiver) ids() (list []uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.events {
		list = append(list, e.ID)
	}
	return list
}

// answer is a receiver's answer with a status.
func answer(code int, header ...string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
	}
}

// play runs a sender in virtual time; to is called when it has nothing to do.
func play(t *testing.T, o *Options, to func(*Sender, *event.Log)) {
	t.Helper()
	o.Dir = t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		log := event.NewLog(1000, 1)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- s.Run(ctx, log) }()
		synctest.Wait()
		to(s, log)
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Run ended with %v", err)
		}
	})
}

func down(fabric string) event.Event {
	return event.Event{Fabric: fabric, Kind: event.LinkDown, Severity: event.Critical, At: event.End{GUID: 1, Port: 1, Name: "\x1b[31m</script>"}}
}

func TestDelivery(t *testing.T) {
	r := newReceiver()
	server := httptest.NewServer(r)
	defer server.Close()
	s, err := New(&Options{Dir: t.TempDir(), Targets: []Target{{Name: "pager", URL: server.URL + "/secret?token=x", Secret: "key"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	log := event.NewLog(10, 41)
	done := make(chan error)
	go func() { done <- s.Run(ctx, log) }()
	for s.Stats()[0].Sent == 0 { // Run sends what comes behind its begin
		log.Add(down("a"))
		select {
		case <-r.took:
		case <-time.After(10 * time.Millisecond):
		}
	}
	cancel()
	<-done
	q := r.requests[0]
	timestamp, signature := q.Header.Get(TimestampHeader), q.Header.Get(SignatureHeader)
	if err := Verify([]byte("key"), timestamp, signature, r.bodies[0], time.Now(), time.Hour); err != nil {
		t.Errorf("%v: %v", q.Header, err)
	}
	if err := Verify([]byte("other"), timestamp, signature, r.bodies[0], time.Now(), time.Hour); !errors.Is(err, ErrSignature) {
		t.Errorf("by another key: %v", err)
	}
	if err := Verify([]byte("key"), timestamp, signature, r.bodies[0], time.Now().Add(2*time.Hour), time.Hour); !errors.Is(err, ErrStale) {
		t.Errorf("hours later: %v", err)
	}
	if q.Method != http.MethodPost || q.URL.String() != "/secret?token=x" || q.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s %s %v", q.Method, q.URL, q.Header)
	}
	if bytes.ContainsAny(r.bodies[0], "\x1b<") {
		t.Errorf("%q", r.bodies[0])
	}
	if got := s.Stats()[0]; got.Sent == 0 || got.Failed != 0 || got.LastSent.IsZero() {
		t.Errorf("%+v", got)
	}
}

// TestRetries: what is not taken is sent again, later and later, and not before the
// target wants it.
func TestRetries(t *testing.T) {
	r := newReceiver()
	r.answers = []func(http.ResponseWriter){
		answer(500), answer(503, "Retry-After", "60"), answer(302, "Location", "http://elsewhere/"), answer(429), answer(404),
	}
	var text bytes.Buffer
	o := &Options{
		Logger:  slog.New(slog.NewTextHandler(&text, nil)),
		Targets: []Target{{Name: "pager", URL: "https://host.example/services/secret", Transport: r}},
	}
	play(t, o, func(s *Sender, log *event.Log) {
		log.Add(down("a"), down("a"))
		time.Sleep(10 * time.Minute)
		if got := r.ids(); !slices.Equal(got, []uint64{1, 2}) {
			t.Fatalf("taken: %v", got)
		}
		for i, most := range []time.Duration{time.Second, time.Minute, 4 * time.Second, 8 * time.Second, 16 * time.Second} {
			wait, least := r.times[i+1].Sub(r.times[i]), most/2
			if i == 1 {
				least = most
			}
			if wait > most || wait < least {
				t.Errorf("before try %d it waited %v, want %v to %v", i+2, wait, least, most)
			}
		}
		if got := s.Stats()[0]; got.Requests != 6 || got.Failed != 5 || got.Sent != 2 || got.Queued != 0 || got.LastError != "" {
			t.Errorf("%+v", got)
		}
		for _, q := range r.requests {
			if q.Host != "host.example" {
				t.Errorf("it went to %s", q.Host)
			}
		}
	})
	if strings.Contains(text.String(), "secret") || strings.Count(text.String(), "not taken") != 5 {
		t.Errorf("log: %s", text.String())
	}
}

// TestRefused: what a target does not want, whatever is done, holds up nothing.
func TestRefused(t *testing.T) {
	r := newReceiver()
	r.answers = []func(http.ResponseWriter){answer(400), answer(200), answer(422), answer(422)}
	play(t, &Options{Targets: []Target{{Name: "pager", URL: "http://host.example/", Transport: r}}}, func(s *Sender, log *event.Log) {
		log.Add(down("a"), down("a"), down("a"))
		time.Sleep(time.Minute)
		if got := s.Stats()[0]; got.Refused != 1 || got.Sent != 2 || got.Queued != 0 || !slices.Equal(r.ids(), []uint64{3}) {
			t.Errorf("%+v, %v", got, r.ids())
		}
	})
}

func TestFilter(t *testing.T) {
	r := newReceiver()
	target := Target{
		Name: "pager", URL: "http://host.example/", Transport: r,
		Fabrics: []string{"a"}, Kinds: []event.Kind{event.LinkDown, event.LinkUp}, Severity: event.Warning,
	}
	play(t, &Options{Targets: []Target{target}}, func(s *Sender, log *event.Log) {
		up, vanished, caused, twice := down("a"), down("a"), down("a"), down("a")
		up.Kind, up.Severity = event.LinkUp, event.Info
		vanished.Kind = event.NodeVanished
		caused.Cause = 1
		twice.Duplicate = true
		log.Add(down("a"), down("b"), up, vanished, caused, twice, down("a"))
		time.Sleep(time.Minute)
		if got := s.Stats()[0]; !slices.Equal(r.ids(), []uint64{1, 7}) || got.Filtered != 5 {
			t.Errorf("%v, %+v", r.ids(), got)
		}
	})
}

// TestBound: of what a target does not take for a long time the oldest is lost, which is
// told.
func TestBound(t *testing.T) {
	r := newReceiver()
	for range 30 {
		r.answers = append(r.answers, answer(500))
	}
	var text bytes.Buffer
	o := &Options{
		MaxQueue: spool.MinBytes, Logger: slog.New(slog.NewTextHandler(&text, nil)),
		Targets: []Target{{Name: "pager", URL: "http://host.example/", Transport: r}},
	}
	play(t, o, func(s *Sender, log *event.Log) {
		const events = 2000
		for range events {
			log.Add(down("a"))
			synctest.Wait()
		}
		full := s.Stats()[0]
		if full.Dropped == 0 || full.Queued+full.Dropped != events || full.QueuedBytes > spool.MinBytes {
			t.Errorf("%+v", full)
		}
		time.Sleep(5 * time.Hour)
		got := s.Stats()[0]
		if ids := r.ids(); uint64(len(ids)) != full.Queued || ids[0] != full.Dropped+1 || got.Sent != full.Queued || got.Queued != 0 {
			t.Errorf("%d taken, from %d on; %+v", len(ids), ids[0], got)
		}
	})
	if !strings.Contains(text.String(), "the oldest events are lost") {
		t.Error("nobody was told")
	}
}

// TestUntrusted: nothing goes to a host whose certificate nobody vouches for.
func TestUntrusted(t *testing.T) {
	r := newReceiver()
	server := httptest.NewUnstartedServer(r)
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)
	server.StartTLS()
	defer server.Close()
	target, err := Target{Name: "pager", URL: server.URL}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	s := &sender{Target: target, client: client(&target)}
	if got := s.post(t.Context(), [][]byte{[]byte("{}")}); got.err == nil || !strings.Contains(got.err.Error(), "certificate") || len(r.requests) > 0 {
		t.Errorf("%v, %d requests", got.err, len(r.requests))
	}
}

func TestConfigure(t *testing.T) {
	for _, bad := range []Target{
		{},
		{Name: "A", URL: "http://h"},
		{Name: "../a", URL: "http://h"},
		{Name: "a", URL: "ftp://h"},
		{Name: "a", URL: "http://"},
		{Name: "a", URL: "http://h", Kinds: []event.Kind{"bad"}},
		{Name: "a", URL: "http://h", Severity: "bad"},
		{Name: "a", URL: "http://h", MaxBatch: 1e6},
		{Name: "a", URL: "http://h", Timeout: -1},
		{Name: "a", URL: "http://user:secret@h\x7f"},
	} {
		_, err := New(&Options{Dir: t.TempDir(), Targets: []Target{bad}})
		var of *Error
		if !errors.Is(err, os.ErrInvalid) || !errors.As(err, &of) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "-7": 0, "x": 0, "99999999": maxRetry,
		"Thu, 01 Jan 2026 00:00:30 GMT": 30 * time.Second, "Thu, 01 Jan 2015 00:00:30 GMT": 0,
	} {
		if got := retryAfter(text, now); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
