package service

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/service/api"
	"github.com/ibscope/ibscope/internal/service/config"
)

// receiver takes the events of webhooks.
type receiver struct {
	server *httptest.Server
	mu     sync.Mutex
	got    []api.Event
}

func newReceiver() *receiver {
	r := &receiver{}
	r.server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		var body struct{ Events []api.Event }
		if json.NewDecoder(io.LimitReader(q.Body, 1<<20)).Decode(&body) == nil {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.got = append(r.got, body.Events...)
		}
	}))
	return r
}

func (r *receiver) close() { r.server.Close() }

// TestWebhook sends events to where the configuration says, also after a reload.
func TestWebhook(t *testing.T) {
	first, second := newReceiver(), newReceiver()
	defer first.close()
	defer second.close()
	w := newWorld(t)
	defer w.close()
	c := complete(t, "a="+ring)
	c.Webhooks = append(c.Webhooks, webhookTo(first, "one"))
	w.run(c)
	until(t, func() bool { return w.status()["a"].Status == api.Live })
	w.lose(ring, os.ErrNotExist)
	until(t, first.has("fabric-lost"))
	until(t, func() bool {
		text := w.ask("/metrics").Body.String()
		return strings.Contains(text, `ibscope_webhook_events_sent_total{webhook="one"} 1`) && strings.Contains(text, "ibscope_http_requests_in_progress 1\n")
	})
	again := complete(t, "a="+ring)
	again.Webhooks = append(again.Webhooks, webhookTo(second, "two"))
	if _, err := w.service.Reload(t.Context(), again); err != nil {
		t.Fatal(err)
	}
	w.lose(ring, nil)
	until(t, second.has("fabric-back"))
	if first.has("fabric-back")() {
		t.Error("the first one still gets events")
	}
	if !strings.Contains(w.service.scratch, "ibscope-serve-") {
		t.Errorf("the queues are in %q", w.service.scratch)
	}
	scratch := w.service.scratch
	w.close()
	if _, err := os.Stat(scratch); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", scratch, err)
	}
}

func webhookTo(r *receiver, name string) config.Webhook {
	return config.Webhook{Name: name, URL: r.server.URL}
}

// has is whether an event of a kind has come.
func (r *receiver) has(kind string) func() bool {
	return func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return slices.ContainsFunc(r.got, func(e api.Event) bool { return e.Kind == kind })
	}
}

// until waits for something.
func until(t *testing.T, is func() bool) {
	t.Helper()
	for !is() {
		select {
		case <-t.Context().Done():
			t.Fatal("it does not come")
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// TestWebhookWithoutDisk: where the state cannot be written events are sent all the same.
func TestWebhookWithoutDisk(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write anywhere")
	}
	w := newWorld(t)
	defer w.close()
	c := complete(t, "a=file:ring?switches=4")
	c.State = t.TempDir()
	c.Webhooks = []config.Webhook{{Name: "one", URL: "http://127.0.0.1:1/"}}
	if err := os.Chmod(c.State, 0o500); err != nil {
		t.Fatal(err)
	}
	if err := w.make(c); err != nil {
		t.Fatal(err)
	}
	w.service.Close()
	if !strings.Contains(w.log.String(), "will not outlive") {
		t.Errorf("the log has %s", &w.log)
	}
}
