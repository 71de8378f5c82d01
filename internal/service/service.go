package service

import (
	"context"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ibscope/ibscope/counters/threshold"
	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/internal/service/api"
	"github.com/ibscope/ibscope/internal/service/config"
	"github.com/ibscope/ibscope/internal/service/fleet"
	"github.com/ibscope/ibscope/internal/service/gate"
	"github.com/ibscope/ibscope/internal/service/history"
	"github.com/ibscope/ibscope/internal/service/metrics"
	"github.com/ibscope/ibscope/internal/web"
	"github.com/ibscope/ibscope/watch"
)

// Service watches fabrics. Its methods may be called from any goroutine.
type Service struct {
	world     World
	started   time.Time
	log       *event.Log
	api       *api.API
	maps      *web.Maps
	metrics   *metrics.Collector
	history   *history.DB  // nil where none is kept
	noHistory error        // why none is kept that was to be
	fleet     *fleet.Fleet // nil where there are no other collectors
	gate      *gate.Gate
	news      chan struct{} // capacity 1: a state or an event is new

	ended     bool                  // Run has; under reloading
	reloading sync.Mutex            // held by Reload, and at the end of Run
	hooks     atomic.Pointer[hooks] // changed by Reload and at the end of Run; nil for none
	helping   context.Context       // of what runs beside the fabrics; nil before Run
	scratch   string                // a directory that goes with the service, "" for none

	mu       sync.Mutex
	settings *settings
	fabrics  []*watched      // by name
	ctx      context.Context // of Run; nil before it
}

// New makes a service and opens its ports, so that who runs it may give up rights
// afterwards: Run opens nothing but what was lost. A port that cannot be opened now is
// tried again by Run; a mistake in a URI is an error. The configuration is complete.
func New(ctx context.Context, c *config.Config, w *World) (*Service, error) {
	s := &Service{world: *w, news: make(chan struct{}, 1)}
	s.world.complete()
	s.started = s.world.Now()
	if err := s.open(ctx, c); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Service) open(ctx context.Context, c *config.Config) error {
	for i := range c.Fabrics {
		f, err := s.newWatched(ctx, &c.Fabrics[i], c)
		if err != nil {
			return err
		}
		s.fabrics = append(s.fabrics, f)
	}
	slices.SortFunc(s.fabrics, byName)
	if s.world.Opened != nil {
		if err := s.world.Opened(); err != nil {
			return err
		}
	}
	var err error
	if s.settings, err = load(c); err != nil {
		return err
	}
	last, err := s.openHistory(ctx)
	if err != nil {
		return err
	}
	s.log = event.NewLog(c.Events.Kept, last.nextEvent)
	if err := s.openFleet(s.settings); err != nil {
		return err
	}
	for _, f := range s.fabrics {
		f.begin(s.settings, last.fabrics[f.config.Name])
	}
	h, err := s.openHooks(s.settings)
	if err != nil {
		return err
	}
	s.hooks.Store(h)
	s.assemble(last.follows)
	s.api.Prepare()
	return nil
}

// assemble makes all that looks at the fabrics. IDs of events may follow on those of an
// earlier run.
func (s *Service) assemble(follows bool) {
	o := s.apiOptions()
	o.Follows = follows
	s.api = api.New(o)
	s.maps = web.NewMaps(&web.MapOptions{Log: s.log, Names: s.namesOf})
	s.api.Handle("map", s.maps.Serve)
	s.metrics = metrics.New(s.States, s.log, s.metricsOptions())
	s.gate = gate.New(s.routes(), s.gateOptions(s.settings))
}

func (s *Service) apiOptions() *api.Options {
	o := &api.Options{
		States: s.States, Log: s.log, Logger: s.world.Logger, Program: s.world.Program, Started: s.started, Now: s.world.Now,
		Names: s.namesOf, HistoryStatus: s.historyStatus,
		Limits: func() *threshold.Limits { return s.present().limits }, Routes: func() bool { return s.present().Routes },
	}
	if s.history != nil {
		o.History = past{s.history}
	}
	return o
}

func (s *Service) metricsOptions() *metrics.Options {
	m := &s.settings.Metrics
	o := &metrics.Options{MaxSeries: m.MaxSeries, Name: s.nameOf, Version: s.world.Version, Now: s.world.Now, Figures: s.figures, RunOnce: s.world.Once}
	o.Requests, o.Hardware = s.requests, s.hardware
	for _, word := range m.Compat {
		if set, err := metrics.ParseSet(word); err == nil { // the configuration has been checked
			o.Sets = append(o.Sets, set)
		}
	}
	return o
}

// States are the present states of all fabrics, by name.
func (s *Service) States() []*watch.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]*watch.State, len(s.fabrics))
	for i, f := range s.fabrics {
		list[i] = f.watcher.State()
	}
	return list
}

// Log is the log of the events of all fabrics.
func (s *Service) Log() *event.Log { return s.log }

// Metrics shows the fabrics as metrics.
func (s *Service) Metrics() *metrics.Collector { return s.metrics }

// present are the present settings.
func (s *Service) present() *settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.settings
}

// wake has those look who look at everything.
func (s *Service) wake() {
	select {
	case s.news <- struct{}{}:
	default:
	}
}

// Close gives back what New has opened, of a service that is not run, or not any more.
func (s *Service) Close() {
	for _, f := range s.fabrics {
		f.close()
	}
	if s.history != nil {
		_ = s.history.Close() // what was to be stored has been
	}
	if s.fleet != nil {
		s.fleet.Close()
	}
	s.hooks.Swap(nil).stop()
	if s.scratch != "" {
		_ = os.RemoveAll(s.scratch) // in the system's place for what may be lost
	}
}
