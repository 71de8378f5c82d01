package watch

import (
	"context"
	"time"
)

// schedule says when what is due. Sweeps do not overlap each other, and neither do
// passes; a sweep and a pass do.
type schedule struct {
	refresh, verify, counters turn
	devices                   turn // after a verification, and when devices are back
	routes                    routesTurn
	sweeping                  bool
	answers                   bool // the last sweep through this port had a result
}

// turn is when one kind of run is due.
type turn struct {
	pace    Pace
	due     time.Time // zero: never
	asked   bool
	running bool
	began   time.Time
}

func newSchedule(o *Options, now time.Time) schedule {
	s := schedule{refresh: turn{pace: o.Refresh}, verify: turn{pace: o.Verify}, counters: turn{pace: o.Counters}}
	s.routes.pace = o.Routes // the first time is after the first sweep
	s.verify.due = now       // also where it is never repeated
	for _, t := range []*turn{&s.refresh, &s.counters} {
		if t.pace.Every > 0 {
			t.due = now
		}
	}
	return s
}

// longLost is after what time everything is asked when the fabric is back.
const longLost = 10 * time.Minute

// connected has a sweep begin at once, and counters be read after it.
func (s *schedule) connected(now, lost time.Time) {
	s.answers = false
	s.refresh.due = now
	if !lost.IsZero() && now.Sub(lost) > longLost {
		s.verify.due = now
	}
}

func (t *turn) isDue(now time.Time) bool {
	return !t.running && (t.asked || !t.due.IsZero() && !now.Before(t.due))
}

func (t *turn) begin(now time.Time) {
	t.asked, t.running, t.began = false, true, now
	t.due = time.Time{}
}

// end sets when the next run is due.
func (t *turn) end(now time.Time) {
	t.running = false
	t.due = time.Time{}
	if t.pace.Every > 0 {
		t.due = t.began.Add(t.pace.Every)
		if rest := now.Add(t.pace.Every / 4); t.due.Before(rest) {
			t.due = rest
		}
	}
}

// next is when something becomes due that is not under way; far away if nothing does.
func (s *schedule) next(now time.Time) time.Time {
	next := now.Add(24 * time.Hour)
	for _, t := range []*turn{&s.refresh, &s.verify, &s.counters, &s.routes.turn} {
		isSweep := t == &s.refresh || t == &s.verify
		isHeldUp := isSweep && s.sweeping || !isSweep && !s.answers
		if !t.running && !isHeldUp && !t.due.IsZero() && t.due.Before(next) {
			next = t.due
		}
	}
	return next
}

// jobs are the runs that are under way.
type jobs struct {
	running int
	done    chan outcome
}

// outcome is what a run has brought.
type outcome struct {
	kind  Kind
	sweep *sweepResult
	pass  *passResult

	devices *devicesResult
	routes  *routesResult
}

// start begins what is due.
func (w *Watcher) start(ctx context.Context, c *connection, jobs *jobs) {
	s, now := &w.schedule, time.Now()
	for kind, t := range map[Kind]*turn{Refreshing: &s.refresh, Verification: &s.verify, Counting: &s.counters, Routing: &s.routes.turn} {
		t.asked = w.takeAsked(kind) || t.asked
	}
	w.takeAsked(Connecting) // nothing is lost
	state := w.State()
	switch {
	case s.sweeping:
	case s.verify.isDue(now) || s.refresh.isDue(now) && !w.swept:
		s.verify.begin(now)
		s.refresh.begin(now) // it is one, too
		s.sweeping = true
		w.launch(jobs, func() outcome { return w.verifySweep(ctx, c, state) })
	case s.refresh.isDue(now):
		s.refresh.begin(now)
		s.sweeping = true
		w.round++
		round, doubted := w.round, w.takeDoubts()
		w.launch(jobs, func() outcome { return w.refreshSweep(ctx, c, state, round, doubted) })
	}
	if s.answers && s.counters.isDue(now) {
		s.counters.begin(now)
		w.launch(jobs, func() outcome { return w.countersPass(ctx, c, state) })
	}
	if s.answers && s.devices.isDue(now) {
		s.devices.begin(now)
		only := w.takeRestarted()
		w.launch(jobs, func() outcome { return w.askDevices(ctx, c, state, only) })
	}
	if s.answers && s.routes.isDue(now) && state.Fabric != nil {
		s.routes.begin(now)
		first := w.nextRoute
		w.launch(jobs, func() outcome { return w.readRoutes(ctx, c, state, first) })
	}
}

func (w *Watcher) launch(jobs *jobs, run func() outcome) {
	jobs.running++
	go func() { jobs.done <- run() }()
}

// take takes in the outcome of a run. The error is why the fabric is lost.
func (w *Watcher) take(o outcome, jobs *jobs) error {
	jobs.running--
	s, now := &w.schedule, time.Now()
	if o.pass != nil {
		s.counters.end(now)
		w.takePass(o.pass)
		return nil
	}
	if o.devices != nil {
		s.devices.end(now)
		w.takeDevices(o.devices)
		return nil
	}
	if o.routes != nil {
		s.routes.end(now)
		w.takeRoutes(o.routes)
		return nil
	}
	s.sweeping = false
	s.refresh.end(now)
	if o.kind == Verification {
		s.verify.end(now)
	}
	return w.takeSweep(o.kind, o.sweep)
}
