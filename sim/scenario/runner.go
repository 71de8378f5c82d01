package scenario

import (
	"container/heap"
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/perf"
)

// Bounds of a Runner.
const (
	maxEvents = 1 << 16 // that the log keeps
	maxSteps  = 1 << 16 // that wait for their time
)

// Runner carries out a timeline, and what it is told besides, on a fabric. It is
// safe for concurrent use: one command is carried out at a time.
type Runner struct {
	sim      *sim.Fabric
	counters *perf.Counters // nil if the fabric has none
	speed    float64
	onEvent  func(Event)
	finished chan struct{}
	wake     chan struct{} // a step was added

	mu      sync.Mutex
	random  *rand.Rand
	clock   time.Duration // of the scenario
	started time.Time     // zero unless Run is at work
	steps   steps
	nth     uint64
	events  []Event
	dropped int

	stop context.CancelFunc // of Start; else nil
	done chan struct{}
}

// Options of New. The zero Options are good.
type Options struct {
	// OnEvent is called with each event, one at a time. It must not call the
	// Runner.
	OnEvent func(Event)
}

// New makes a Runner that has not begun. A timeline that does not fit the fabric
// is an *Error, or several of them joined.
func (s *Scenario) New(f *sim.Fabric, o *Options) (*Runner, error) {
	r := &Runner{
		sim: f, speed: s.speed(), random: seeded(s.Seed),
		finished: make(chan struct{}), wake: make(chan struct{}, 1),
	}
	if o != nil {
		r.onEvent = o.OnEvent
	}
	r.counters, _ = f.Agent(mad.ClassPerf).(*perf.Counters)
	if err := s.check(r); err != nil {
		return nil, err
	}
	for _, e := range s.timeline {
		r.schedule(e, 0)
	}
	r.noteFinished()
	return r, nil
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x5ce7a210)) }

// Start makes a Runner and lets it run in a goroutine until the context ends or
// Close is called.
func (s *Scenario) Start(ctx context.Context, f *sim.Fabric) (*Runner, error) {
	r, err := s.New(f, nil)
	if err != nil {
		return nil, err
	}
	ctx, r.stop = context.WithCancel(ctx)
	r.done = make(chan struct{})
	r.begin()
	go func() {
		defer close(r.done)
		r.loop(ctx)
	}()
	return r, nil
}

// Close ends what Start has begun, and waits for it. The fabric stays as it is.
func (r *Runner) Close() error {
	if r.stop != nil {
		r.stop()
		<-r.done
	}
	return nil
}

// Run carries out the timeline by the clock until the context ends. It goes on
// behind the last step, for Do may add others.
func (r *Runner) Run(ctx context.Context) {
	r.begin()
	r.loop(ctx)
}

// begin sets the clock going.
func (r *Runner) begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.started = time.Now().Add(-r.wall(r.clock))
}

// wall is how long a time of the scenario takes.
func (r *Runner) wall(d time.Duration) time.Duration { return time.Duration(float64(d) / r.speed) }

func (r *Runner) loop(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		r.Advance(r.Now())
		timer.Stop()
		if next, ok := r.Next(); ok {
			timer.Reset(time.Until(r.started.Add(r.wall(next))))
		}
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-r.wake:
		}
	}
}

// Now is the time since the start, in the time of the scenario: by the clock
// while Run is at work, else what Advance has reached.
func (r *Runner) Now() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now()
}

func (r *Runner) now() time.Duration {
	if r.started.IsZero() {
		return r.clock
	}
	// A timer may go off a little before what the division has rounded.
	return max(r.clock, time.Duration(float64(time.Since(r.started))*r.speed)+time.Nanosecond)
}

// Next is when the next step is due; false if there is none.
func (r *Runner) Next() (time.Duration, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.steps) == 0 {
		return 0, false
	}
	return r.steps[0].at, true
}

// Advance carries out all that is due until a time of the scenario, in order.
func (r *Runner) Advance(to time.Duration) {
	for r.step(to) {
	}
}

// step carries out the next step if it is due.
func (r *Runner) step(to time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.steps) == 0 || r.steps[0].at > to {
		r.clock = max(r.clock, to)
		return false
	}
	s := heap.Pop(&r.steps).(step)
	r.clock = max(r.clock, s.at)
	s.do()
	r.noteFinished()
	return true
}

// noteFinished closes finished when nothing is left, once. The lock is held, or
// nobody else has r.
func (r *Runner) noteFinished() {
	if len(r.steps) > 0 {
		return
	}
	select {
	case <-r.finished:
	default:
		close(r.finished)
	}
}

// Finished is closed when the timeline is at its end. One that repeats something
// for ever has none.
func (r *Runner) Finished() <-chan struct{} { return r.finished }

// Log is what was done so far, at most the last 65,536 events.
func (r *Runner) Log() []Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Event(nil), r.events...)
}

// Fabric is the fabric that things happen to.
func (r *Runner) Fabric() *sim.Fabric { return r.sim }

// Counters are the fabric's counters, nil for none.
func (r *Runner) Counters() *perf.Counters { return r.counters }
