package process

import (
	"context"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// interruptible is a context that ends with the first SIGINT or SIGTERM; the
// second one ends the process. It takes the signals over when somebody begins to
// wait for it. Until then they end the process, as they do a C tool: a command
// that reads a few files is done before anybody could interrupt it, and setting
// signals up would be a tenth of its time.
type interruptible struct {
	start sync.Once
	inner atomic.Pointer[context.Context] // nil before start
	stop  context.CancelFunc
}

// Done takes the signals over.
func (c *interruptible) Done() <-chan struct{} {
	c.start.Do(func() {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
		context.AfterFunc(ctx, stop)
		c.stop = stop
		c.inner.Store(&ctx)
	})
	return c.current().Done()
}

// Err is nil as long as the signals are not taken over.
func (c *interruptible) Err() error { return c.current().Err() }

// Value finds what the context package keeps in its own contexts, so that those
// made from this one need no goroutine to follow it.
func (c *interruptible) Value(key any) any { return c.current().Value(key) }

// Deadline says that there is none.
func (c *interruptible) Deadline() (time.Time, bool) { return time.Time{}, false }

// Close gives the signals back.
func (c *interruptible) Close() {
	c.start.Do(func() {})
	if c.stop != nil {
		c.stop()
	}
}

func (c *interruptible) current() context.Context {
	if inner := c.inner.Load(); inner != nil {
		return *inner
	}
	return context.Background()
}
