package counters

import (
	"context"
	"errors"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/madrpc"
)

// Reset is a request to set counters of one port to 0.
type Reset struct {
	Node *fabric.Node
	Num  int // of the port; pma.AllPorts if the agent has AllPortSelect

	// Attr is the attribute, and Mask the pma.Select… bits of those of its counters
	// that are set to 0.
	Attr mad.AttrID
	Mask uint64
}

// Resets sets counters to 0, many at a time. This is the one part of the package
// that changes something in a fabric. It belongs to one goroutine.
type Resets struct {
	queue *madrpc.Queue
	opts  ResetOptions
	free  []*resetTask
	out   int
}

// ResetOptions tune Resets. Nil stands for the zero value.
type ResetOptions struct {
	// Failed, if set, is told of each reset that failed, from within Add and Wait.
	// The error is a *Problem.
	Failed func(Reset, error)

	ServiceLevel   func(ib.LID) uint8 // to a LID; nil: 0
	MaxOutstanding int                // requests in flight; 0 stands for 128
}

type resetTask struct {
	request   madrpc.Request
	reset     Reset
	redirects int
}

// NewResets makes Resets through a client that the caller owns. Close ends them.
func NewResets(client *madrpc.Client, o *ResetOptions) *Resets {
	r := &Resets{queue: client.NewQueue()}
	if o != nil {
		r.opts = *o
	}
	if r.opts.MaxOutstanding <= 0 {
		r.opts.MaxOutstanding = defaultOutstanding
	}
	return r
}

// Add sends a reset. It waits only while too many others are in flight. The error
// is the context's; then the reset was not sent. A Mask of 0 is nothing to do. An
// attribute that package pma does not have, or that has no counters, fails.
func (r *Resets) Add(ctx context.Context, reset Reset) error {
	if reset.Mask == 0 {
		return nil
	}
	for r.out >= r.opts.MaxOutstanding {
		if err := r.next(ctx); err != nil {
			return err
		}
	}
	t := &resetTask{}
	if n := len(r.free); n > 0 {
		t, r.free = r.free[n-1], r.free[:n-1]
	}
	t.reset, t.redirects = reset, 0
	lid := agentLID(reset.Node, reset.Num)
	if lid == 0 {
		r.failed(reset, ErrNoLID)
		return nil
	}
	t.request.Target = mad.Target{LID: lid}
	if r.opts.ServiceLevel != nil {
		t.request.Target.SL = r.opts.ServiceLevel(lid)
	}
	r.start(t)
	return nil
}

// start sends the request of a task.
func (r *Resets) start(t *resetTask) {
	q := &t.request
	q.Tag = t
	q.Packet.Init(mad.ClassPerf, mad.MethodSet, t.reset.Attr, 0)
	if err := t.reset.fill(q.Packet.Data()); err != nil {
		r.failed(t.reset, err)
		r.free = append(r.free, t)
		return
	}
	r.out++
	r.queue.Start(q)
}

// fill makes the data of the request.
func (r *Reset) fill(data []byte) error {
	for _, a := range pma.Attributes() {
		if a.ID != r.Attr || a.View {
			continue
		}
		v := a.New()
		if err := pma.SelectCounters(v, uint8(r.Num), r.Mask); err != nil {
			return err
		}
		_, err := v.AppendBinary(data[:0])
		return err
	}
	return errors.ErrUnsupported
}

// Wait waits until all resets are done. The error is the context's.
func (r *Resets) Wait(ctx context.Context) error {
	for r.out > 0 {
		if err := r.next(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Close gives up what is not done.
func (r *Resets) Close() { r.queue.Close() }

// next takes in the reply to one reset.
func (r *Resets) next(ctx context.Context) error {
	q, err := r.queue.Next(ctx)
	if err != nil {
		return &Error{Op: "reset", Err: err}
	}
	r.out--
	t := q.Tag.(*resetTask)
	if to, ok := madrpc.Redirected(q); ok && t.redirects < maxRedirects {
		t.redirects++
		q.Target = to
		r.start(t)
		return nil
	}
	if q.Err != nil {
		r.failed(t.reset, q.Err)
	}
	r.free = append(r.free, t)
	return nil
}

func (r *Resets) failed(reset Reset, err error) {
	if r.opts.Failed != nil {
		r.opts.Failed(reset, &Problem{Node: reset.Node, Port: reset.Num, Attr: reset.Attr, Err: err})
	}
}
