package webhook

import (
	"context"
	"log/slog"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/internal/service/spool"
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
	queue  *spool.Queue
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
		q, err := spool.Open(filepath.Join(o.Dir, t.Name), size)
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
		t.queue.Close()
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
	lines, size, dropped := t.queue.Waiting()
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
		work.Go(func() { t.follower(log).Run(ctx) })
		work.Go(func() { t.deliver(ctx) })
	}
	work.Wait()
	<-ctx.Done()
	return ctx.Err()
}

// follower puts what is wanted of a log into the queue.
func (t *sender) follower(log *event.Log) *spool.Follower {
	return &spool.Follower{
		Queue: t.queue, Log: log, Logger: t.log, Wants: t.wants,
		Passed: func(n uint64) { t.count(func(s *Stats) { s.Filtered += n }) },
		Lost:   func(n uint64) { t.count(func(s *Stats) { s.Dropped += n }) },
	}
}

func (t *sender) count(change func(*Stats)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	change(&t.stats)
}
