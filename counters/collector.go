package counters

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
)

// A Collector reads the counters of a fabric, pass by pass. It belongs to one
// goroutine, and so does its work: concurrency is in the requests in flight.
type Collector struct {
	opts   Options
	client *madrpc.Client
	queue  *madrpc.Queue // nil between passes

	nodes  []*node
	fresh  int     // nodes from there on have not been begun in this pass
	helped []*node // begun, in order; those at the front are finished
	free   []*task
	busy   []*task // those with a request in flight
	pass   Pass
}

// Pass is the result of one pass. It is valid until the next one begins.
type Pass struct {
	Started  time.Time
	Duration time.Duration

	Nodes    int // that were asked
	Ports    int
	Unread   int // ports of which something is missing
	Requests int // sent, repetitions not counted
	Resent   int // repetitions
	TimedOut int // requests without a reply

	// Samples are those of all ports, by node and port in the order of the fabric;
	// none if Options.Each was set.
	Samples []Sample

	// Problems are in no order.
	Problems []Problem
}

// Error says why a pass did not come to its end. Unwrap gives the cause: the
// context's error, or what ended the client.
type Error struct {
	Op  string // "collect", "reset"
	Err error
}

func (e *Error) Error() string { return "counters: " + e.Op + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Collect reads the counters of a fabric once; see Collector.Collect.
func Collect(ctx context.Context, client *madrpc.Client, f *fabric.Fabric, o *Options) (*Pass, error) {
	return New(client, f, o).Collect(ctx)
}

// New makes a collector for the ports of f, which it asks through a client that
// the caller owns and may use for other requests at the same time.
func New(client *madrpc.Client, f *fabric.Fabric, o *Options) *Collector {
	c := &Collector{opts: o.withDefaults(), client: client}
	ports := 0
	nodes := c.opts.Nodes
	if nodes == nil {
		nodes = slices.Collect(f.Nodes())
	}
	for _, n := range nodes {
		state := &node{model: n, place: ports}
		if c.opts.Agent != nil {
			state.caps = c.opts.Agent(n)
		}
		state.reset(false)
		for _, _, ok := state.take(c.opts.Ports); ok; _, _, ok = state.take(c.opts.Ports) {
			ports++
		}
		c.nodes = append(c.nodes, state)
	}
	if c.opts.Each == nil {
		c.pass.Samples = make([]Sample, ports)
	}
	c.helped = make([]*node, 0, len(c.nodes))
	return c
}

// Collect reads the counters of all ports once. Each port has its sample: what
// could not be read is in the Problems of the pass, which is never nil, and there
// alone. The error, an *Error, says why the pass ended early; the ports that had
// not been read by then are problems too.
func (c *Collector) Collect(ctx context.Context) (*Pass, error) {
	c.begin()
	defer func() {
		c.queue.Close()
		c.queue = nil
		c.pass.Duration = time.Since(c.pass.Started)
	}()
	err := c.run(ctx)
	if err != nil {
		c.abandon(err)
		return &c.pass, &Error{Op: "collect", Err: err}
	}
	return &c.pass, nil
}

func (c *Collector) begin() {
	for _, n := range c.nodes {
		n.reset(c.opts.Sum != nil)
	}
	c.fresh, c.helped = 0, c.helped[:0]
	c.pass = Pass{Started: time.Now(), Samples: c.pass.Samples, Problems: c.pass.Problems[:0]}
	c.queue = c.client.NewQueue()
}

// run works until nothing is left to ask, the context ends or the client.
func (c *Collector) run(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	now := c.pass.Started
	for c.hasRoom() && c.employ(now) {
	}
	for len(c.busy) > 0 {
		r, err := c.queue.Next(ctx)
		if err != nil {
			return err
		}
		if err := c.broken(r); err != nil {
			return err
		}
		t := r.Tag.(*task)
		now = time.Now()
		c.finish(t, now)
		if !c.advance(t, now) {
			c.dismiss(t)
		}
		for c.hasRoom() && c.employ(now) {
		}
	}
	return ctx.Err()
}

// hasRoom reports whether one more task may be under way.
func (c *Collector) hasRoom() bool {
	n := len(c.busy)
	return n < c.opts.MaxOutstanding && (n == 0 || !c.opts.Beside || c.client.RoomBeside(n) > 0)
}

// broken is why no request can succeed any more, nil if that is not so.
func (c *Collector) broken(r *madrpc.Request) error {
	if r.Err == nil {
		return nil
	}
	if errors.Is(r.Err, os.ErrClosed) {
		return r.Err
	}
	return c.client.Err()
}

// employ gives a free task something to do; false if there is nothing.
func (c *Collector) employ(now time.Time) bool {
	if c.fresh == len(c.nodes) && c.helpless() {
		return false
	}
	t := c.freeTask()
	if !c.advance(t, now) {
		c.dismiss(t)
		return false
	}
	return true
}

// helpless reports whether no node that has been begun takes another task.
func (c *Collector) helpless() bool { return c.toHelp() == nil }

// toHelp is a node whose ports several tasks may read. Nodes are begun before
// they are helped, so this matters near the end of a pass only.
func (c *Collector) toHelp() *node {
	kept := c.helped[:0]
	var found *node
	for _, n := range c.helped {
		if n.isFinished(c.opts.Ports) {
			continue
		}
		kept = append(kept, n)
		if found == nil && n.open && n.misses == 0 && n.tasks < c.opts.MaxPerNode {
			found = n
		}
	}
	c.helped = kept
	return found
}

func (c *Collector) freeTask() *task {
	var t *task
	if n := len(c.free); n > 0 {
		t, c.free = c.free[n-1], c.free[:n-1]
	} else {
		t = new(task)
		t.request.Tag = t
	}
	t.place = len(c.busy)
	c.busy = append(c.busy, t)
	return t
}

// dismiss takes a task that has nothing to do.
func (c *Collector) dismiss(t *task) {
	last := c.busy[len(c.busy)-1]
	c.busy[t.place], last.place = last, t.place
	c.busy = c.busy[:len(c.busy)-1]
	c.free = append(c.free, t)
}

// abandon ends a pass that was stopped: what has not been read is noted.
func (c *Collector) abandon(err error) {
	c.queue.Close() // all requests are ours again
	why := fmt.Errorf("%w: %w", ErrNotAsked, err)
	for len(c.busy) > 0 {
		t := c.busy[0]
		if t.node != nil {
			c.note(t, mad.AttrID(0), why)
			c.endSample(t)
			c.giveUp(t, why)
		}
		c.dismiss(t)
	}
	t := c.freeTask()
	for _, n := range c.nodes[c.fresh:] {
		c.assign(t, n)
		c.giveUp(t, why)
	}
	c.fresh = len(c.nodes)
	c.dismiss(t)
}
