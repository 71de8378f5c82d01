package watch

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/madrpc"
)

// A Watcher keeps a fabric in memory and up to date. Run does the work; the other
// methods may be called from any goroutine, at any time.
type Watcher struct {
	opts Options
	log  *slog.Logger
	wake chan struct{} // capacity 1: something was asked for

	mu      sync.Mutex
	state   *State
	changed chan struct{}  // closed when there is a new state
	asked   map[Kind]bool  // by Trigger
	client  *madrpc.Client // of the port that is open; nil for none
	past    madrpc.Stats   // of all clients before

	// The rest belongs to Run.

	schedule schedule
	round    int // of refreshes
	swept    bool
	patience time.Duration // times the deadline of a sweep
	dubious  bool          // the last sweep had a result that was left alone
	backOff  backOff
	counting counting
	asking   asking
	doubts   doubts // for the next refresh

	askAll    bool             // all devices are to be asked for their firmware
	restarted map[ib.GUID]bool // that are to be asked in any case

	nextRoute ib.GUID // the switch that reading forwarding tables begins with
}

// New makes a Watcher. Its State is the stored fabric, or empty.
func New(o *Options) *Watcher {
	w := &Watcher{
		opts: o.withDefaults(), wake: make(chan struct{}, 1),
		changed: make(chan struct{}), asked: map[Kind]bool{}, doubts: doubts{},
		counting: counting{total: total.New(), agents: map[ib.GUID]counters.Agent{}},
		asking:   asking{unanswered: map[ib.GUID]int{}}, restarted: map[ib.GUID]bool{},
	}
	w.log = w.opts.Logger.With("fabric", w.opts.Name)
	w.state = w.begin()
	w.opts.Start = nil // it may be large
	return w
}

// State is what is known now. It is never nil.
func (w *Watcher) State() *State {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state
}

// Wait waits until there is another State than last, and gives the newest one: who is
// slow misses some, which Options.Each does not. The error is the context's.
func (w *Watcher) Wait(ctx context.Context, last *State) (*State, error) {
	for {
		w.mu.Lock()
		now, changed := w.state, w.changed
		w.mu.Unlock()
		if now != last {
			return now, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Trigger has a run begin now: Refreshing, Verification, Counting, Routing; Connecting tries at
// once to open a port that is lost. What is under way already is begun again when it
// has ended.
func (w *Watcher) Trigger(kind Kind) {
	w.mu.Lock()
	w.asked[kind] = true
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// takeAsked tells whether a run was asked for, once.
func (w *Watcher) takeAsked(kind Kind) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	was := w.asked[kind]
	delete(w.asked, kind)
	return was
}

// publish makes a state the current one, after change has been applied to a copy of it.
func (w *Watcher) publish(cause Kind, change func(*State)) {
	old := w.State()
	s := *old
	s.Number, s.Cause, s.Since = old.Number+1, cause, time.Now()
	change(&s)
	w.mu.Lock()
	w.state = &s
	close(w.changed)
	w.changed = make(chan struct{})
	w.mu.Unlock()
	if w.opts.Each != nil {
		w.opts.Each(old, &s)
	}
}

// Run keeps the fabric up to date until the context ends, whose error it gives. It is
// called once. No goroutine and no port outlives it.
func (w *Watcher) Run(ctx context.Context) error {
	w.patience = 1
	w.schedule = newSchedule(&w.opts, time.Now())
	for {
		c, err := w.connect(ctx)
		if err != nil {
			return err
		}
		w.use(c.client)
		err = w.attend(ctx, c)
		c.close()
		w.retire(c.client)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		w.lose(err)
	}
}

// attend does what is due, through a port, until that is lost.
func (w *Watcher) attend(ctx context.Context, c *connection) error {
	ctx, cancel := context.WithCancel(ctx)
	jobs := &jobs{done: make(chan outcome)}
	defer func() {
		cancel()
		for jobs.running > 0 { // they end soon, and what they learnt counts
			_ = w.take(<-jobs.done, jobs)
		}
	}()
	w.schedule.connected(time.Now(), w.State().Lost)
	for {
		w.start(ctx, c, jobs)
		timer := time.NewTimer(time.Until(w.schedule.next(time.Now())))
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-c.lost:
			timer.Stop()
			return c.err
		case o := <-jobs.done:
			if err := w.take(o, jobs); err != nil {
				timer.Stop()
				return err
			}
		case <-w.wake:
		case <-timer.C:
		}
		timer.Stop()
	}
}
