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

// takeSweep makes a new state of what a sweep has brought. The error is why the port is
// to be opened again.
func (w *Watcher) takeSweep(kind Kind, r *sweepResult) error {
	if errors.Is(r.err, context.Canceled) {
		return nil // by the end of Run or of the port
	}
	w.log.Debug("sweep", "kind", kind, "requests", r.run.Requests, "duration", r.run.Duration, "nodes", r.fabric.NumNodes(), "err", r.err)
	r.judge()
	if r.lost != nil || r.err != nil {
		maps.Copy(w.doubts, r.doubted) // it may not have come to them
	}
	w.schedule.answers = r.lost == nil
	if r.lost != nil {
		return w.takeNothing(kind, r)
	}
	w.backOff.reset()
	w.swept = true
	w.settle(kind, r)
	if w.isDubious(r) {
		return nil
	}
	if kind == Verification && w.opts.Firmware {
		w.schedule.devices.asked, w.askAll = true, true
	}
	if now := w.State(); !now.Connected && !now.Lost.IsZero() {
		w.log.Info("the fabric is back", "lost", now.Lost)
	}
	before := w.State()
	if r.fabric != before.Fabric {
		label(r.fabric, before.Devices)
	}
	w.publish(kind, func(s *State) {
		s.count(kind, r.run, false)
		s.Fabric, s.At, s.Stored = r.fabric, r.run.Started.Add(r.run.Duration), false
		if r.asked {
			s.Managers = r.managers
		}
		s.Connected, s.Lost, s.Err = true, time.Time{}, r.err
	})
	w.noteReturned(before.Fabric, r.fabric)
	w.followRoutes(before, w.State())
	return nil
}

// judge finds out whether a result means anything.
func (r *sweepResult) judge() {
	early, ok := errors.AsType[*discover.Error](r.err)
	switch {
	case r.lost != nil:
	case ok && early.Op != "sweep":
		r.lost = noStart(r.err)
	case r.fabric.NumNodes() == 1 && r.known != nil && r.known.NumNodes() > 1 && r.err == nil:
		r.lost = ErrIsolated
	}
}

// takeNothing is for a sweep after which the fabric counts as lost.
func (w *Watcher) takeNothing(kind Kind, r *sweepResult) error {
	r.run.Err, r.run.Complete = r.lost, false
	w.publish(kind, func(s *State) {
		s.count(kind, r.run, true)
		if s.Connected || s.Lost.IsZero() {
			s.Lost = s.Since
		}
		s.Connected, s.Err = false, r.lost
	})
	if errors.Is(r.lost, ErrIsolated) {
		return nil // the port is there: go on asking
	}
	return r.lost
}

// settle completes a result by what is known, and gives the next sweep more time if this
// one had too little.
func (w *Watcher) settle(kind Kind, r *sweepResult) {
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
}

// A loss of this many nodes in one sweep, and of this share, is checked.
const (
	dubiousNodes = 8
	dubiousShare = 10 // one in
)

// isDubious reports whether a result is left alone, and the fabric asked once more at
// once: a good part of the nodes did not answer any more. That may be because the own
// link went down for a moment while they were asked, and people are not to be woken for
// that. What the next sweep brings counts.
func (w *Watcher) isDubious(r *sweepResult) bool {
	if r.known == nil || w.dubious || r.fabric == r.known {
		w.dubious = false
		return false
	}
	gone := missing(r.known, r.fabric)
	w.dubious = gone >= dubiousNodes && gone*dubiousShare >= r.known.NumNodes()
	if w.dubious {
		w.log.Warn("many nodes do not answer any more; they are asked again", "gone", gone, "nodes", r.known.NumNodes())
		w.schedule.refresh.asked = true
		maps.Copy(w.doubts, r.doubted)
	}
	return w.dubious
}

// missing is how many nodes of a fabric are not in another one.
func missing(known, now *fabric.Fabric) (n int) {
	for node := range known.Nodes() {
		if _, ok := now.NodeByGUID(node.GUID()); !ok {
			n++
		}
	}
	return n
}

// count enters a run into the state.
func (s *State) count(kind Kind, run Run, failed bool) {
	last := &s.Refresh
	switch kind {
	case Verification:
		last = &s.Verify
	case Counting:
		last = &s.Pass
	case Asking:
		last = &s.Asking
	case Routing:
		last = &s.Routing
	}
	run.Count, run.Failed = last.Count+1, last.Failed
	if failed {
		run.Failed++
	}
	*last = run
}
