package watch

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// passResult is what a pass over the counters has brought.
type passResult struct {
	table *total.Table
	run   Run
	err   error // why it ended early
}

// countersPass runs in a goroutine of its own, which alone has the Accumulator then.
func (w *Watcher) countersPass(ctx context.Context, c *connection, before *State) outcome {
	ctx, cancel := context.WithTimeout(ctx, w.opts.Counters.Deadline)
	defer cancel()
	pass, err := counters.Collect(ctx, c.client, before.Fabric, &counters.Options{
		Want: w.opts.Want, Ports: w.chooser(before), Each: w.total.Add,
	})
	r := &passResult{err: err}
	r.table = w.total.Table(pass.Started.Add(pass.Duration))
	r.run = Run{
		Started: pass.Started, Duration: pass.Duration, Requests: pass.Requests,
		Problems: len(pass.Problems), Complete: err == nil && pass.Unread == 0, Err: err,
	}
	for i := range pass.Problems {
		if errors.Is(&pass.Problems[i], os.ErrDeadlineExceeded) {
			r.run.TimedOut++
		}
	}
	return outcome{kind: Counting, pass: r}
}

// chooser chooses the ports to read: those that have a link or are training one, those
// that had one when counters were last read, and of these what the options want.
func (w *Watcher) chooser(before *State) func(*fabric.Port) bool {
	return func(p *fabric.Port) bool {
		inUse := p.Remote() != nil || p.PhysState() == ib.PhysLinkUp || before.Totals.Port(p.Node().GUID(), p.Num()) != nil
		return inUse && (w.opts.Ports == nil || w.opts.Ports(p))
	}
}

// takePass makes a new state of what a pass has brought.
func (w *Watcher) takePass(r *passResult) {
	if errors.Is(r.err, context.Canceled) {
		return
	}
	w.log.Debug("pass", "requests", r.run.Requests, "duration", r.run.Duration, "problems", r.run.Problems, "err", r.err)
	w.doubt(downedBetween(w.State().Totals, r.table))
	w.publish(Counting, func(s *State) {
		s.count(Counting, r.run, r.err != nil)
		s.Totals = r.table
	})
}

// sinceTaken is when a stored fabric was read.
func sinceTaken(f *fabric.Fabric) time.Time { return f.Sweep().Started.Add(f.Sweep().Duration) }
