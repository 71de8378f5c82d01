package process

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// TestInterruptible sends this process a signal.
func TestInterruptible(t *testing.T) {
	guard := make(chan os.Signal, 1) // the test outlives a signal that c does not take
	signal.Notify(guard, syscall.SIGTERM)
	defer signal.Stop(guard)

	c := &interruptible{}
	defer c.Close()
	send := func() {
		t.Helper()
		if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		select {
		case <-guard:
		case <-time.After(10 * time.Second):
			t.Fatal("the signal has not come")
		}
	}
	send()
	if err := c.Err(); err != nil {
		t.Errorf("%v, but nobody has waited for it", err)
	}
	inner, cancel := context.WithCancel(c)
	defer cancel()
	if err := inner.Err(); err != nil {
		t.Errorf("%v, from a signal of the past", err)
	}
	send()
	select {
	case <-inner.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("the signal did not end the context")
	}
	if !errors.Is(c.Err(), context.Canceled) || !errors.Is(inner.Err(), context.Canceled) {
		t.Errorf("ended with %v and %v", c.Err(), inner.Err())
	}
}

// TestInterruptibleUnused asks nothing of the context before its end.
func TestInterruptibleUnused(t *testing.T) {
	c := &interruptible{}
	c.Close()
	if c.Err() != nil || c.Value("x") != nil {
		t.Error("an unused context has ended")
	}
	if _, ok := c.Deadline(); ok {
		t.Error("a deadline")
	}
}
