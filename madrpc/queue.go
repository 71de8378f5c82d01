package madrpc

import (
	"cmp"
	"context"
	"time"

	"github.com/ibscope/ibscope/mad"
)

// A Queue is one consumer's view of a client: requests go in by Start and come
// back by Next, in the order in which they end. Start may be called by many
// goroutines, Next by one at a time.
type Queue struct {
	c       *Client
	wake    chan struct{} // capacity 1; ends the consumer's wait
	active  list          // started, not done
	done    list          // done, not returned
	waiting bool          // the consumer is in Next
	alarm   time.Duration // when its wait is over; in Client.alarms
	closed  error
}

// NewQueue makes an empty queue.
func (c *Client) NewQueue() *Queue {
	return &Queue{c: c, wake: make(chan struct{}, 1), active: list{kind: byQueue}}
}

// Start begins a request and returns at once. From now on r belongs to the
// client, until Next returns it. Starting a request that is already started
// panics.
func (q *Queue) Start(r *Request) { q.startFailed(r, nil) }

// startFailed is Start; a request with an err is not sent but ends with it.
func (q *Queue) startFailed(r *Request, err error) {
	c := q.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.state != stateIdle {
		panic("madrpc: Start of a request that is already started")
	}
	r.queue, r.Err, r.Tries, r.held, r.sendErr = q, nil, 0, 0, nil
	r.again, r.overdue, r.older = false, false, [2]uint32{}
	q.active.push(r)
	c.unfinished++
	for _, e := range []error{err, c.err, q.closed, c.address(r)} {
		if e != nil {
			c.finish(r, newError(r, e))
			return
		}
	}
	c.enter(r)
}

// address completes the header of r's packet and finds where to send it.
func (c *Client) address(r *Request) error {
	p := &r.Packet
	if p.Class().IsSMP() {
		p.SetClass(r.Target.SMPClass())
		r.addr = r.Target.Route(p)
		if p.MKey() == 0 {
			p.SetMKey(c.mkey)
		}
		return nil
	}
	if r.Target.IsDirected() {
		return errNoLID
	}
	r.addr = mad.Addr{
		LID:       r.Target.LID,
		SL:        r.Target.SL,
		PKeyIndex: cmp.Or(r.Target.PKeyIndex, c.pkey),
		QP:        cmp.Or(r.Target.QP, mad.QPGeneral),
		QKey:      cmp.Or(r.Target.QKey, mad.WellKnownQK),
	}
	return nil
}

// Next waits for a request to end and returns it; whether it succeeded stands
// in its Err. It returns ErrEmpty when nothing is started, and the context's
// error when ctx ends first, which changes nothing in the queue.
func (q *Queue) Next(ctx context.Context) (*Request, error) {
	for {
		r, err := q.poll()
		if r != nil || err != nil {
			return r, err
		}
		select {
		case <-q.wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Poll is Next without waiting: a request that has ended, nil when there is none.
func (q *Queue) Poll() *Request {
	q.c.mu.Lock()
	defer q.c.mu.Unlock()
	r := q.done.pop()
	if r != nil {
		r.state = stateIdle
	}
	return r
}

// poll returns a request that is done, ErrEmpty, or neither; then wake tells
// when to ask again.
func (q *Queue) poll() (*Request, error) {
	q.c.mu.Lock()
	defer q.c.mu.Unlock()
	if r := q.done.pop(); r != nil {
		r.state = stateIdle
		return r, nil
	}
	if q.active.n == 0 {
		return nil, ErrEmpty
	}
	q.waiting = true
	return nil, nil
}

// Len is how many requests are started and not yet returned.
func (q *Queue) Len() int {
	q.c.mu.Lock()
	defer q.c.mu.Unlock()
	return q.active.n + q.done.n
}

// Close ends every unfinished request with context.Canceled. All requests are
// the caller's again when it returns; Next has none of them left. A request
// started later ends at once in the same way.
func (q *Queue) Close() {
	c := q.c
	c.mu.Lock()
	defer c.mu.Unlock()
	q.closed = context.Canceled
	for r := q.active.head; r != nil; r = q.active.head {
		c.stats.Cancelled++
		c.finish(r, newError(r, context.Canceled))
	}
	for r := q.done.pop(); r != nil; r = q.done.pop() {
		r.state = stateIdle
	}
}

// finished takes over a request that is done. The client's lock is held.
func (q *Queue) finished(r *Request) {
	r.state = stateDone
	q.active.remove(r)
	q.done.push(r)
	if q.waiting {
		q.waiting = false
		notify(q.wake)
	}
}

// notify leaves a token in a channel of capacity 1 unless there is one. It
// never blocks.
func notify(ch chan<- struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}
