package service

import (
	"context"
	"errors"

	"github.com/ibscope/ibscope/watch"
)

// Once reads all fabrics and their counters once, in place of Run, and ends. The error
// tells what could not be read; what was read is there.
func (s *Service) Once(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for _, f := range s.fabrics {
		f.start(ctx)
	}
	var errs []error
	for _, f := range s.fabrics {
		if err := f.readOnce(ctx); err != nil {
			errs = append(errs, &Error{Op: "read", Fabric: f.config.Name, Err: err})
		}
	}
	end, stop := context.WithTimeout(context.WithoutCancel(ctx), stopWithin)
	defer stop()
	cancel()
	return errors.Join(append(errs, s.endFabrics(end))...)
}

// errIncomplete is of a fabric of which something is missing.
var errIncomplete = errors.New("something could not be read; ibscope discover tells what")

// readOnce waits for a sweep, what devices tell after it, and a pass over the counters.
func (f *watched) readOnce(ctx context.Context) error {
	if f.stored != nil {
		return nil
	}
	for state := f.watcher.State(); ; {
		switch {
		case !state.Lost.IsZero() && !state.Connected:
			return state.Err
		case state.Asking.Count > 0 && (state.Pass.Count > 0 || f.config.Counters.Every < 0):
			return incomplete(state)
		}
		var err error
		if state, err = f.watcher.Wait(ctx, state); err != nil {
			return err
		}
	}
}

func incomplete(s *watch.State) error {
	if s.Verify.Complete && (s.Pass.Complete || s.Pass.Count == 0) {
		return nil
	}
	return errIncomplete
}
