package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"github.com/ibscope/ibscope/event"
)

// Options of New.
type Options struct {
	Dir      string // where the queues are, a directory for each target
	Targets  []Target
	MaxQueue int64        // bytes of each queue; 0 = 64 MiB, at least 64 KiB
	Logger   *slog.Logger // nil for none
}

const defaultQueue = 64 << 20

// Sender sends events to targets.
type Sender struct {
	targets []*sender
}

// sender is the sender to one target.
type sender struct {
	Target
	client *http.Client
	queue  *queue
	log    *slog.Logger

	mu    sync.Mutex
	stats Stats
}

// New opens the queues. What waits in them is sent as soon as Run begins. The error is
// an *Error. Close must be called at the end, after Run.
func New(o *Options) (*Sender, error) {
	logger := o.Logger
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	size := o.MaxQueue
	if size == 0 {
		size = defaultQueue
	}
	s := &Sender{}
	for _, t := range o.Targets {
		t, err := t.withDefaults()
		if err != nil {
			s.Close()
			return nil, err
		}
		q, err := openQueue(filepath.Join(o.Dir, t.Name), max(size, minQueue))
		if err != nil {
			s.Close()
			return nil, &Error{"queue", t.Name, err}
		}
		s.targets = append(s.targets, &sender{
			Target: t, queue: q, client: client(&t), log: logger.With("webhook", t.Name), stats: Stats{Target: t.Name},
		})
	}
	return s, nil
}

// client makes the client of a target.
func client(t *Target) *http.Client {
	transport := t.Transport
	if transport == nil {
		transport = &http.Transport{
			MaxIdleConnsPerHost: 1, IdleConnTimeout: time.Minute, TLSHandshakeTimeout: t.Timeout,
			ResponseHeaderTimeout: t.Timeout, MaxResponseHeaderBytes: 1 << 16,
		}
	}
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

// Close closes the queues.
func (s *Sender) Close() {
	for _, t := range s.targets {
		t.queue.close()
		t.client.CloseIdleConnections()
	}
}

// Stats are those of all targets, in their order.
func (s *Sender) Stats() []Stats {
	list := make([]Stats, 0, len(s.targets))
	for _, t := range s.targets {
		list = append(list, t.now())
	}
	return list
}

func (t *sender) now() Stats {
	lines, size, dropped := t.queue.waiting()
	t.mu.Lock()
	defer t.mu.Unlock()
	stats := t.stats
	stats.Queued, stats.QueuedBytes = lines, size
	stats.Dropped += dropped
	return stats
}

// Run follows a log until the context ends, whose error it gives: from the event behind
// the last one that an earlier life has put into the queue of a target; for a target
// without an earlier life, from now on.
func (s *Sender) Run(ctx context.Context, log *event.Log) error {
	var work sync.WaitGroup
	for _, t := range s.targets {
		work.Go(func() { t.follow(ctx, log) })
		work.Go(func() { t.deliver(ctx) })
	}
	work.Wait()
	<-ctx.Done()
	return ctx.Err()
}

// follow puts what is wanted of a log into the queue.
func (t *sender) follow(ctx context.Context, log *event.Log) {
	after := t.queue.newest()
	if after == 0 || after > log.Last() { // no earlier life, or not of this log
		after = log.Last()
	}
	for {
		events, missed, err := log.Wait(ctx, after)
		if err != nil {
			return
		}
		if missed > 0 {
			t.count(func(s *Stats) { s.Dropped += missed })
			t.log.Warn("events were lost: the log went on while they could not be put into the queue", "events", missed)
			after += missed
		}
		if len(events) == 0 {
			continue
		}
		if last, ok := t.put(ctx, events); ok {
			after = last
		}
	}
}

// diskPause is how long to wait before a queue is tried again that cannot be written.
const diskPause = 5 * time.Second

// put puts events into the queue. While that fails they stay in the log.
func (t *sender) put(ctx context.Context, events []event.Event) (last uint64, ok bool) {
	var lines bytes.Buffer
	var count, filtered uint64
	for i := range events {
		if !t.wants(&events[i]) {
			filtered++
			continue
		}
		text, err := json.Marshal(events[i])
		if err != nil || len(text) >= maxLineBytes {
			t.count(func(s *Stats) { s.Dropped++ })
			t.log.Error("an event cannot be sent", "id", events[i].ID, "err", err, "bytes", len(text))
			continue
		}
		lines.Write(text)
		lines.WriteByte('\n')
		count++
	}
	last = events[len(events)-1].ID
	_, _, before := t.queue.waiting()
	if err := t.queue.put(lines.Bytes(), count, last); err != nil {
		t.log.Error("the queue cannot be written; events wait in memory", "err", err)
		pause(ctx, diskPause)
		return 0, false
	}
	t.count(func(s *Stats) { s.Filtered += filtered })
	if _, _, now := t.queue.waiting(); now > before {
		t.log.Error("the queue is full; the oldest events are lost", "events", now-before)
	}
	return last, true
}

func (t *sender) count(change func(*Stats)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	change(&t.stats)
}

// pause waits; false if the context ended.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
