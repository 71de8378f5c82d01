package service

import (
	"context"
	"os"
	"strings"
	"sync"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/internal/service/config"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/readonly"
	"github.com/ibscope/ibscope/watch"
)

// watched is a fabric that is watched.
type watched struct {
	service *Service
	config  config.Fabric
	allow   readonly.Allow
	watcher *watch.Watcher
	stored  *snapshot.Snapshot // of a fabric that is a file; nil for others

	mu       sync.Mutex // held while events are found
	detector *event.Detector
	names    *names
	limits   *config.Events
	first    madrpc.Transport // opened early, until the watcher takes it
	routed   routed           // the last fabric with its forwarding tables

	cancel context.CancelFunc // ends the watching; nil before it
	done   chan struct{}      // closed at its end
}

// fileScheme begins the URI of a stored fabric. It is read once, when it is opened: there
// is nothing to try again.
const fileScheme = "file:"

func byName(a, b *watched) int { return strings.Compare(a.config.Name, b.config.Name) }

// newWatched opens a source, as long as there are the rights to do so: a port that
// cannot be opened now is opened later. Begin has to follow.
func (s *Service) newWatched(ctx context.Context, c *config.Fabric, all *config.Config) (*watched, error) {
	f := &watched{service: s, config: *c, allow: readonly.Allow{Resets: all.AllowResets}}
	source, err := s.world.Open(ctx, c.Source)
	switch {
	case err == nil && source.Transport == nil:
		f.stored = source.Stored
	case err == nil:
		f.first = readonly.New(source.Transport, f.allow)
	case s.world.IsMistake(err), ctx.Err() != nil, strings.HasPrefix(c.Source, fileScheme):
		return nil, &Error{Op: "open", Fabric: c.Name, Err: err}
	default:
		s.world.Logger.Warn("the fabric cannot be opened now, and is tried again", "fabric", c.Name, "err", err)
	}
	return f, nil
}

// begin makes the watcher, which begins with what is known from before; nil for nothing.
func (f *watched) begin(to *settings, before *snapshot.Snapshot) {
	f.take(to)
	c := &f.config
	if f.stored != nil {
		f.watcher = watch.New(&watch.Options{Name: c.Name, Source: c.Source, Start: f.stored})
		return
	}
	o := &watch.Options{
		Name: c.Name, Source: c.Source, Open: f.open, Start: before,
		Client:  madrpc.Options{Rate: c.Rate, MaxOutstanding: c.MaxOutstanding, Timeout: c.Timeout, Retries: c.Retries, MKey: c.MKey},
		Refresh: c.Refresh, Verify: c.Verify, Counters: c.Counters, Routes: c.Tables, Level: c.Level,
		Ports: f.service.ports(c.Name), Each: f.each, Logger: f.service.world.Logger,
	}
	f.service.askMore(o, to)
	f.watcher = watch.New(o)
}

// take takes on names and thresholds. With others than before events are found by a new
// detector, which begins with what is known.
func (f *watched) take(to *settings) {
	f.mu.Lock()
	defer f.mu.Unlock()
	names := to.names[f.config.Name]
	if f.detector != nil && names.isSame(f.names) && f.limits.Equal(&to.Events) {
		return
	}
	e := &to.Events
	f.names, f.limits = names, e
	f.detector = event.NewDetector(&event.Options{
		Name: names.own(), FlapCount: e.FlapCount, FlapWindow: e.FlapWindow, Limits: to.limits, ErrorWindow: e.ErrorWindow,
	})
}

// open gives the watcher the port that is open already, or opens it anew.
func (f *watched) open(ctx context.Context) (madrpc.Transport, error) {
	f.mu.Lock()
	first := f.first
	f.first = nil
	f.mu.Unlock()
	if first != nil {
		return first, nil
	}
	source, err := f.service.world.Open(ctx, f.config.Source)
	if err == nil && source.Transport == nil { // it has become a file
		err = os.ErrInvalid
	}
	if err != nil {
		return nil, err
	}
	return readonly.New(source.Transport, f.allow), nil
}

// each is told every state of the fabric.
func (f *watched) each(old, now *watch.State) {
	s := f.service
	f.mu.Lock()
	events := f.detector.Next(old, now)
	s.mark(events)
	s.log.Add(events...)
	f.mu.Unlock()
	if s.history != nil {
		s.history.Record(f.toStore(now))
	}
	s.wake()
}

// start begins to watch.
func (f *watched) start(ctx context.Context) {
	if f.stored != nil {
		return
	}
	ctx, f.cancel = context.WithCancel(ctx)
	f.done = make(chan struct{})
	go func() {
		defer close(f.done)
		_ = f.watcher.Run(ctx) // it ends when it is told to
	}()
}

// stop ends the watching, and waits for that, not longer than the context.
func (f *watched) stop(ctx context.Context) error {
	if f.cancel == nil {
		f.close()
		return nil
	}
	f.cancel()
	select {
	case <-f.done:
		f.close()
		return nil
	case <-ctx.Done():
		return &Error{Op: "stop", Fabric: f.config.Name, Err: ctx.Err()}
	}
}

// close closes a port that was opened and not used.
func (f *watched) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.first != nil {
		_ = f.first.Close() // nobody needs it
		f.first = nil
	}
}
