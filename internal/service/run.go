package service

import (
	"context"
	"errors"
	"sync"
	"time"
)

// stopWithin is how long the service takes to end.
const stopWithin = 15 * time.Second

// Run watches all fabrics until the context ends, and stores what is known then. It is
// called once. The error is nil, or tells what did not end in time.
func (s *Service) Run(ctx context.Context) error {
	fabrics, stopFabrics := context.WithCancel(context.WithoutCancel(ctx))
	defer stopFabrics()
	helpers, stopHelpers := context.WithCancel(context.WithoutCancel(ctx))
	defer stopHelpers()
	var all sync.WaitGroup
	for _, run := range s.helpers() {
		all.Go(func() { run(helpers) })
	}
	s.reloading.Lock()
	s.hooks.Load().start(helpers, s.log)
	s.helping = helpers
	s.reloading.Unlock()
	s.mu.Lock()
	s.ctx = fabrics
	for _, f := range s.fabrics {
		f.start(fabrics)
	}
	s.mu.Unlock()
	<-ctx.Done()

	s.reloading.Lock() // a reload that is under way ends first
	defer s.reloading.Unlock()
	s.ended = true // and there is none any more
	deadline, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWithin)
	defer cancel()
	stopFabrics() // first: what they learnt last is stored by the others
	err := s.endFabrics(deadline)
	stopHelpers()
	err = errors.Join(err, waitFor(deadline, &all))
	s.hooks.Swap(nil).stop()
	return err
}

// helpers are what runs beside the fabrics.
func (s *Service) helpers() []func(context.Context) {
	list := []func(context.Context){
		s.tell,
		s.prepare,
		func(ctx context.Context) { _ = s.metrics.Run(ctx) }, // it ends when it is told to
	}
	if s.history != nil {
		list = append(list, s.keep)
	}
	if s.fleet != nil {
		list = append(list, func(ctx context.Context) { _ = s.fleet.Run(ctx, s.log) }) // it ends when it is told to
	}
	if s.present().Metrics.Textfile != "" {
		list = append(list, s.writeTextfile)
	}
	return list
}

func (s *Service) endFabrics(ctx context.Context) error {
	var errs []error
	for _, f := range s.fabrics {
		errs = append(errs, f.stop(ctx))
	}
	return errors.Join(errs...)
}

func waitFor(ctx context.Context, all *sync.WaitGroup) error {
	done := make(chan struct{})
	go func() {
		all.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return &Error{Op: "stop", Err: ctx.Err()}
	}
}

// tell writes events to the log of messages.
func (s *Service) tell(ctx context.Context) {
	after := s.log.Last()
	for {
		events, missed, err := s.log.Wait(ctx, after)
		if err != nil {
			return
		}
		if missed > 0 {
			s.world.Logger.Warn("events came faster than they can be written", "missed", missed)
			after += missed
		}
		for i := range events {
			e := &events[i]
			after = e.ID
			s.world.Logger.LogAttrs(ctx, e.Level(), string(e.Kind), e.LogAttrs()...)
		}
	}
}

// prepare works out what answers need, after each sweep and before anybody asks.
func (s *Service) prepare(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.news:
			s.api.Prepare()
			for _, state := range s.States() {
				_ = s.maps.Prepare(state) // who asks for it is told
			}
		}
	}
}

// keep has the history follow the events, and tells how it does.
func (s *Service) keep(ctx context.Context) {
	news := historyNews{logger: s.world.Logger}
	tick := time.NewTicker(10 * time.Second)
	defer tick.Stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := s.history.Run(ctx, s.log); err != nil && ctx.Err() == nil {
			s.world.Logger.Error("the history is not kept any more", "err", err)
		}
	}()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		status := s.history.Status()
		news.tell(&status)
	}
}
