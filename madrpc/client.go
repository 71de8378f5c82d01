package madrpc

import (
	"context"
	"math"
	"os"
	"sync"
	"time"

	"github.com/ibscope/ibscope/mad"
)

// Options tune a Client. The zero value has the defaults.
type Options struct {
	// Timeout of one try. With 0 or less it follows from how long replies take:
	// from 20 ms on, doubled for each try up to 250 ms or more, and one second at
	// least for all tries together. Requests that may not be repeated early (all
	// but Get of subnet and performance management) have 1 s, as in the C tools.
	Timeout time.Duration

	// Retries are the tries after the first, less than 0 for none. With 0 they
	// follow from how much gets lost: 3 to 19, and 3 with a Timeout, as in the C
	// tools.
	Retries int

	// Deadline is how long a request may take from its first try on, whatever
	// Timeout and Retries allow, replies in several packets excepted. 0 or less
	// stands for 10 s where the timeout adapts, else for no limit.
	Deadline time.Duration

	// MaxOutstanding is how many requests may be in flight; more than 65536 counts
	// as that. With 0 or less their number adapts, from 8 to 3072: see Client.Room.
	MaxOutstanding int

	// Rate is how many packets are sent in a second, at most; 0 or less stands for
	// no limit. Up to four follow each other at once.
	Rate float64

	// MaxPerTarget is how many requests may be in flight to one Target (as
	// written: two routes to one device are two targets); 0 stands for 4, less
	// than 0 for no limit.
	MaxPerTarget int

	// MKey is put in SMPs whose M_Key is 0.
	MKey uint64

	// PKeyIndex is where in the port's table the P_Key stands of requests to general
	// services whose Target has index 0.
	PKeyIndex uint16

	// Logger is told of packets that were received and not used: late, duplicate,
	// unmatched, malformed. Nil stands for none.
	Logger Logger
}

// Logger is what a *slog.Logger does. That type is not named, because package log/slog
// comes late in the order in which a program initialises its packages, and so would
// every program that uses this one.
type Logger interface {
	Debug(msg string, args ...any)
}

// A Client sends requests over one Transport. It has two goroutines, one that
// receives and one that sends and keeps the time. All methods may be called by
// many goroutines at once.
type Client struct {
	t     Transport
	mkey  uint64
	pkey  uint16 // index
	log   Logger
	epoch time.Time     // where the client's clock starts
	wake  chan struct{} // capacity 1; ends the sender's sleep
	wg    sync.WaitGroup

	closing  sync.Once
	closeErr error

	// mu is never held over a call of the transport or the logger.
	mu         sync.Mutex
	policy     policy
	tids       tids
	targets    targets
	timers     timers
	ready      list       // admitted, in order of admission
	due        list       // tries that are over, to be sent again
	acks       []*Request // streams that an ACK is due for
	controls   []control  // other packets without a reply to be sent
	inFlight   int        // requests in the global window
	again      int        // of these, those that have lost a try, or seem to have
	overdue    int        // of these, those whose second try is not due yet
	pacer      pacer
	unfinished int // started and not done
	stats      Stats
	spare      []*Queue      // for Do
	alarms     []*Queue      // whose consumer waits for a limited time
	silent     chan struct{} // closed when nothing is sent any more
	asleep     bool          // the sender waits for wake or its timer
	alarm      time.Duration // when that timer fires
	err        error         // what ended the client
}

// never is a time after all others on the client's clock.
const never = time.Duration(math.MaxInt64)

// New makes a client on t, which it owns from now on: nobody else may use or
// close it. Nil options stand for the defaults. Close ends the client.
func New(t Transport, o *Options) *Client {
	if o == nil {
		o = new(Options)
	}
	p := newPolicy(o)
	c := &Client{
		t:       t,
		mkey:    o.MKey,
		pkey:    o.PKeyIndex,
		log:     o.Logger,
		epoch:   time.Now(),
		wake:    make(chan struct{}, 1),
		silent:  make(chan struct{}),
		alarm:   never,
		policy:  p,
		tids:    newTIDs(p.limit()),
		pacer:   newPacer(o.Rate),
		targets: targets{m: make(map[mad.Target]*target)},
	}
	c.wg.Go(c.receive)
	c.wg.Go(func() {
		defer close(c.silent)
		c.send()
	})
	return c
}

// farewell is how long Close lets what was to be said without a reply go out.
const farewell = 100 * time.Millisecond

// Close closes the transport, ends every unfinished request with os.ErrClosed
// and waits until the client's goroutines have ended. The error is that of the
// transport; a second Close returns it again.
func (c *Client) Close() error {
	c.closing.Do(func() {
		c.fail(os.ErrClosed)
		select {
		case <-c.silent:
		case <-time.After(farewell): // the transport is stuck; closing it helps
		}
		c.closeErr = c.t.Close()
		c.wg.Wait()
	})
	return c.closeErr
}

// Err is what ended the client: os.ErrClosed after Close, or the error of a
// transport that broke. All requests fail from then on. It is nil before.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Do sends r and waits for its reply. The error, an *Error, is also in r.Err:
// see there for what errors.Is finds. When ctx ends first the request is given
// up, and a reply that still comes is ignored.
func (c *Client) Do(ctx context.Context, r *Request) error {
	q := c.borrowQueue()
	if err := ctx.Err(); err != nil {
		q.startFailed(r, err)
	} else {
		q.Start(r)
	}
	if _, err := q.Next(ctx); err != nil {
		c.cancel(r, err)
		_, _ = q.Next(context.Background()) // r is done: returns at once
	}
	c.returnQueue(q)
	return r.Err
}

// maxSpareQueues bounds the queues kept for calls of Do.
const maxSpareQueues = 64

func (c *Client) borrowQueue() *Queue {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.spare)
	if n == 0 {
		return c.NewQueue()
	}
	q := c.spare[n-1]
	c.spare = c.spare[:n-1]
	return q
}

func (c *Client) returnQueue(q *Queue) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.spare) < maxSpareQueues {
		c.spare = append(c.spare, q)
	}
}

// now is the time on the client's clock, which never goes back.
func (c *Client) now() time.Duration { return time.Since(c.epoch) }

// cancel ends r with err unless it is done already.
func (c *Client) cancel(r *Request, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.state != stateDone {
		c.stats.Cancelled++
		c.finish(r, newError(r, err))
	}
}

// fail ends the client: every unfinished request and message, and all later ones,
// end with err. The first call counts.
func (c *Client) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err = err
	for _, d := range c.targets.m { // first, or they would be admitted one by one
		for r := d.waiting.head; r != nil; r = d.waiting.head {
			c.finish(r, newError(r, err))
		}
	}
	for r := c.ready.head; r != nil; r = c.ready.head {
		c.finish(r, newError(r, err))
	}
	for i := range c.tids.slots {
		if r := c.tids.slots[i].r; r != nil {
			c.finish(r, newError(r, err))
		}
	}
	last := c.controls
	c.controls = nil
	for _, m := range last {
		if m.sent != nil {
			m.sent <- err
		} else {
			c.controls = append(c.controls, m) // see send
		}
	}
	c.kick()
}

// finish hands r, unfinished so far, to its queue. A nil e means success.
func (c *Client) finish(r *Request, e *Error) {
	was := r.state
	c.unlist(r)
	if was.opened() {
		c.inFlight--
		c.forgive(r)
		c.tids.release(r)
		if c.ready.n > 0 {
			c.kick()
		}
	}
	c.leave(r, was)
	c.unfinished--
	if e != nil {
		r.Err = e
	}
	r.queue.finished(r)
}

// unlist takes r out of where its state keeps it.
func (c *Client) unlist(r *Request) {
	switch {
	case r.state.timed():
		c.timers.remove(r)
	case r.state == stateWaiting:
		r.target.waiting.remove(r)
	case r.state == stateReady:
		c.ready.remove(r)
	case r.state == stateDue:
		c.due.remove(r)
		c.timers.remove(r)
	}
}
