package watch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
)

// connection is an open port to the fabric.
type connection struct {
	madrpc.Transport
	client *madrpc.Client
	once   sync.Once
	lost   chan struct{} // closed when the port is gone
	err    error         // why; valid after that
}

// Recv tells of the end of the transport as soon as it is known.
func (c *connection) Recv(p *mad.Packet) (mad.Addr, error) {
	from, err := c.Transport.Recv(p)
	if err == nil {
		return from, nil
	}
	if _, concernsRequest := errors.AsType[*mad.SendError](err); !concernsRequest {
		c.once.Do(func() {
			c.err = err
			close(c.lost)
		})
	}
	return from, err
}

func (c *connection) close() { _ = c.client.Close() } // it was lost, or nobody needs it

// connect opens the port, as often as it takes.
func (w *Watcher) connect(ctx context.Context) (*connection, error) {
	for {
		if err := w.pause(ctx); err != nil {
			return nil, err
		}
		t, err := w.openPort(ctx)
		if ctx.Err() != nil {
			if err == nil {
				_ = t.Close()
			}
			return nil, ctx.Err()
		}
		if err == nil {
			c := &connection{Transport: t, lost: make(chan struct{})}
			c.client = madrpc.New(c, &w.opts.Client)
			return c, nil
		}
		w.lose(err)
	}
}

// openDeadline is how long it may take to open the port.
const openDeadline = time.Minute

func (w *Watcher) openPort(ctx context.Context) (madrpc.Transport, error) {
	ctx, cancel := context.WithTimeout(ctx, openDeadline)
	defer cancel()
	return w.opts.Open(ctx)
}

// pause waits before the port is opened again.
func (w *Watcher) pause(ctx context.Context) error {
	wait := w.backOff.next()
	until := time.Now().Add(wait)
	for wait > 0 && ctx.Err() == nil {
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
		case <-w.wake:
			if w.takeAsked(Connecting) {
				until = time.Now()
			}
		}
		timer.Stop()
		wait = time.Until(until)
	}
	return ctx.Err()
}

// lose notes that the fabric cannot be asked any more.
func (w *Watcher) lose(err error) {
	now := w.State()
	if now.Connected || now.Lost.IsZero() {
		w.log.Warn("the fabric is lost", "err", err)
	}
	if !now.Connected && !now.Lost.IsZero() && now.Err != nil && now.Err.Error() == err.Error() {
		return // nothing is new
	}
	w.publish(Connecting, func(s *State) {
		if s.Connected || s.Lost.IsZero() {
			s.Lost = s.Since
		}
		s.Connected, s.Err = false, err
	})
}

// backOff is how long to wait before the port is opened.
type backOff struct{ wait time.Duration }

// Limits of the wait.
const (
	firstWait = time.Second
	lastWait  = time.Minute
)

// next is the wait, none at first, and longer each time.
func (b *backOff) next() time.Duration {
	wait := b.wait
	b.wait = min(max(2*wait, firstWait), lastWait)
	return wait
}

// reset is called when the fabric answers.
func (b *backOff) reset() { b.wait = firstWait }

// Why the fabric counts as lost although the port is open.
var (
	// ErrNoStart: the node that the port belongs to does not answer.
	ErrNoStart = errors.New("the own node does not answer")
	// ErrIsolated: the sweep found nothing but the own node.
	ErrIsolated = errors.New("the own port has no link to the rest of the fabric")
)

func noStart(err error) error { return fmt.Errorf("%w: %w", ErrNoStart, err) }
