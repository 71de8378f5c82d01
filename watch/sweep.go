package watch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
)

// sweepResult is what a sweep has brought.
type sweepResult struct {
	fabric   *fabric.Fabric
	known    *fabric.Fabric // before
	managers []Manager
	asked    bool // all managers were
	doubted  doubts
	run      Run
	err      error // why it ended early
}

func (w *Watcher) verifySweep(ctx context.Context, c *connection, before *State) outcome {
	return w.sweep(ctx, c, before, Verification, w.opts.Verify.Deadline*w.patience, func(ctx context.Context) (*fabric.Fabric, error) {
		return discover.Walk(ctx, c.client, &w.opts.Sweep)
	})
}

func (w *Watcher) refreshSweep(ctx context.Context, c *connection, before *State, round int, doubted doubts) outcome {
	known := before.Fabric
	if known == nil {
		known = fabric.NewBuilder().Build()
	}
	o := discover.RefreshOptions{Options: w.opts.Sweep, Level: w.opts.Level, Round: round, Doubt: doubted.about()}
	result := w.sweep(ctx, c, before, Refreshing, w.opts.Refresh.Deadline*w.patience, func(ctx context.Context) (*fabric.Fabric, error) {
		return discover.Refresh(ctx, c.client, known, &o)
	})
	result.sweep.doubted = doubted
	return result
}

// mostPatience is how many times its deadline a sweep may take at most. One that ran
// into it began with what is known already, and so will the next: with no more time, it
// would perhaps come no farther, each time.
const mostPatience = 16

// sweep runs in a goroutine of its own.
func (w *Watcher) sweep(ctx context.Context, c *connection, before *State, kind Kind, deadline time.Duration,
	run func(context.Context) (*fabric.Fabric, error),
) outcome {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	r := &sweepResult{known: before.Fabric}
	r.run.Started, r.run.From = time.Now(), before.Number
	r.fabric, r.err = run(ctx)
	sweep := r.fabric.Sweep()
	r.run.Requests, r.run.Resent, r.run.TimedOut = sweep.SMPs, sweep.Resent, sweep.Timeouts
	if r.err == nil {
		managers, err := askManagers(ctx, c.client, r.fabric, &r.run)
		r.managers, r.asked = managers, err == nil
	}
	r.run.Duration = time.Since(r.run.Started)
	r.run.Problems = len(r.fabric.Problems())
	r.run.Complete = r.err == nil && r.fabric.IsComplete()
	r.run.Err = r.err
	return outcome{kind: kind, sweep: r}
}

// takeSweep makes a new state of what a sweep has brought. The error is why the fabric
// is lost.
func (w *Watcher) takeSweep(kind Kind, r *sweepResult) error {
	if errors.Is(r.err, context.Canceled) {
		return nil // by the end of Run or of the port
	}
	if r.err != nil {
		maps.Copy(w.doubts, r.doubted) // it may not have come to them
	}
	var lost error
	var early *discover.Error
	switch {
	case r.fabric.NumNodes() == 0 && errors.As(r.err, &early) && early.Op != "sweep":
		lost = noStart(r.err)
	case r.fabric.NumNodes() == 1 && r.known != nil && r.known.NumNodes() > 1 && r.err == nil:
		lost = ErrIsolated
	}
	w.log.Debug("sweep", "kind", kind, "requests", r.run.Requests, "duration", r.run.Duration, "nodes", r.fabric.NumNodes(), "err", r.err)
	w.schedule.answers = lost == nil
	if lost != nil {
		r.run.Err, r.run.Complete = lost, false
		w.publish(kind, func(s *State) {
			s.count(kind, r.run, true)
			if s.Connected || s.Lost.IsZero() {
				s.Lost = s.Since
			}
			s.Connected, s.Err = false, lost
		})
		if errors.Is(lost, ErrIsolated) {
			return nil // the port is there: go on asking
		}
		return lost
	}
	w.backOff.reset()
	w.swept = true
	before := w.patience
	w.patience = 1
	if r.err != nil {
		if errors.Is(r.err, context.DeadlineExceeded) {
			w.patience = min(2*before, mostPatience)
		}
		r.err = fmt.Errorf("the %s ended early: %w", kind, r.err)
		r.fabric = merge(r.known, r.fabric)
	}
	if r.known != nil && same(r.known, r.fabric) {
		r.fabric = r.known
	}
	if now := w.State(); !now.Connected && !now.Lost.IsZero() {
		w.log.Info("the fabric is back", "lost", now.Lost)
	}
	w.publish(kind, func(s *State) {
		s.count(kind, r.run, false)
		s.Fabric, s.At, s.Stored = r.fabric, r.run.Started.Add(r.run.Duration), false
		if r.asked {
			s.Managers = r.managers
		}
		s.Connected, s.Lost, s.Err = true, time.Time{}, r.err
	})
	return nil
}

// count enters a run into the state. A verification is a refresh, too, for those who
// want to know when the fabric was last looked at: see Run.Started.
func (s *State) count(kind Kind, run Run, failed bool) {
	last := &s.Refresh
	switch kind {
	case Verification:
		last = &s.Verify
	case Counting:
		last = &s.Pass
	}
	run.Count, run.Failed = last.Count+1, last.Failed
	if failed {
		run.Failed++
	}
	*last = run
}
