package discover

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/madrpc"
)

// Error says why a sweep could not be done, or not to its end.
type Error struct {
	Op  string // "start", "sweep", "find start"
	Err error
}

func (e *Error) Error() string { return "discover: " + e.Op + ": " + e.Err.Error() }

// Unwrap gives the cause: a *madrpc.Error for a start node that does not answer,
// the context's error for a sweep that was ended early.
func (e *Error) Unwrap() error { return e.Err }

// ErrNotFound is the cause when no node has the GUID of Options.FromGUID.
var ErrNotFound = errors.New("no node or port has this GUID")

// Run sweeps the fabric behind a transport, which it closes at the end.
//
// The fabric is never nil. The error is nil when the sweep came to its natural
// end; what it could not read is then in the fabric's Problems, and there alone.
// Otherwise the error, an *Error, says why it ended early, and the fabric holds
// what was known by then: errors.Is finds context.Canceled,
// context.DeadlineExceeded, for a start node that does not answer
// os.ErrDeadlineExceeded or a mad.Status, or what ended the transport, as
// os.ErrClosed.
func Run(ctx context.Context, t madrpc.Transport, o *Options) (*fabric.Fabric, error) {
	opts := o.withDefaults()
	client := madrpc.New(t, &madrpc.Options{
		Timeout: opts.Timeout, Retries: opts.Retries, MKey: opts.MKey,
		MaxOutstanding: opts.MaxOutstanding, MaxPerTarget: opts.MaxPerTarget, Rate: opts.Rate, Logger: opts.Logger,
	})
	defer client.Close()
	return Walk(ctx, client, &opts)
}

// Walk is Run on a client that the caller owns and may use for other requests
// at the same time. The client's own timeout, retries and M_Key apply.
func Walk(ctx context.Context, client *madrpc.Client, o *Options) (*fabric.Fabric, error) {
	opts := o.withDefaults()
	if err := findStart(ctx, client, &opts); err != nil {
		return fabric.NewBuilder().Build(), err
	}
	s := newSweep(client, opts)
	defer s.queue.Close()
	s.direct = append(s.direct, s.newTask(nil, step{kind: probe}))
	err := s.run(ctx)
	s.report(true)
	return s.result(err)
}

// result builds the fabric from what the sweep has gathered.
func (s *sweep) result(err error) (*fabric.Fabric, error) {
	var maxHops int
	if err != nil {
		s.findUnfinished()
		err = &Error{Op: "sweep", Err: err}
	}
	switch {
	case s.start != nil:
		maxHops = s.canonical()
	case err == nil:
		err = &Error{Op: "start", Err: s.startError()}
	}
	s.findLost()
	s.reportFindings()
	s.builder.SetSweep(fabric.Sweep{
		Source: s.opts.Source, Started: s.began, Duration: time.Since(s.began), MaxHops: maxHops,
		SMPs: s.sent + s.inFlight, Resent: s.resent, Timeouts: s.timedOut,
	})
	return s.builder.Build(), err
}

// startError is why there is no start node.
func (s *sweep) startError() error {
	if len(s.lost) > 0 {
		err := s.lost[0].err
		s.lost = nil
		return err
	}
	return fmt.Errorf("the node at %s gave no usable NodeInfo", s.opts.From)
}
