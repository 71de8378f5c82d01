package serve

import (
	"errors"
	"net"
	"testing"
	"time"
)

// TestBounded lets a third client wait until one of two has gone.
func TestBounded(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := boundedListener(inner, 2)
	accepted := make(chan net.Conn)
	ended := make(chan error, 1)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				ended <- err
				return
			}
			accepted <- c
		}
	}()
	for range 3 {
		c, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	first, second := <-accepted, <-accepted
	select {
	case <-accepted:
		t.Error("there are three at once")
	case <-time.After(50 * time.Millisecond):
	}
	first.Close()
	first.Close() // counts once
	third := <-accepted
	if len(l.room) != 2 {
		t.Errorf("%d are counted", len(l.room))
	}
	l.Close()
	l.Close()
	second.Close()
	third.Close()
	if err := <-ended; !errors.Is(err, net.ErrClosed) {
		t.Errorf("it ended with %v", err)
	}
}
