package watch

import (
	"context"
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
	lost     error // why what it has brought means nothing
}

func (w *Watcher) verifySweep(ctx context.Context, c *connection, before *State) outcome {
	return w.sweep(ctx, c, before, Verification, w.opts.Verify.Deadline*w.patience, func(ctx context.Context) (*fabric.Fabric, error) {
		o := w.opts.Sweep
		o.Known = before.Fabric
		return discover.Walk(ctx, c.client, &o)
	})
}

func (w *Watcher) refreshSweep(ctx context.Context, c *connection, before *State, round int, doubted doubts) outcome {
	known := before.Fabric
	if known == nil {
		known = fabric.NewBuilder().Build()
	}
	o := discover.RefreshOptions{Options: w.opts.Sweep, Level: w.opts.Level, Round: round, Doubt: doubted.about()}
	o.Known = before.Fabric // where a sweep that is to begin elsewhere finds its way
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
		own, err := ownPort(ctx, c.client, r.fabric, &r.run)
		switch {
		case ctx.Err() != nil: // the sweep came to its end just in time
		case err != nil:
			r.lost = noStart(err)
		default:
			r.managers, err = askManagers(ctx, c.client, r.fabric, own.SMLID, &r.run)
			r.asked = err == nil
		}
	}
	r.run.Duration = time.Since(r.run.Started)
	r.run.Problems = len(r.fabric.Problems())
	r.run.Complete = r.err == nil && r.fabric.IsComplete()
	r.run.Err = r.err
	return outcome{kind: kind, sweep: r}
}
