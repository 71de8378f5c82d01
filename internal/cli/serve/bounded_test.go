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
	l := boundedListener(inner, 2, 2)
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

// TestBoundedClient closes the connections of a client that has too many, and has room
// for others.
func TestBoundedClient(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := boundedListener(inner, 10, 2)
	defer l.Close()
	accepted := make(chan net.Conn)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			accepted <- c
		}
	}()
	dial := func(from string) net.Conn {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		c, err := d.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Skipf("no second address: %v", err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	dial("127.0.0.1")
	first := <-accepted
	dial("127.0.0.1")
	second := <-accepted
	if n, err := dial("127.0.0.1").Read(make([]byte, 1)); err == nil {
		t.Errorf("the third of a client: %d bytes", n)
	}
	dial("127.0.0.2")
	other := <-accepted
	if got := addressOf(other); got != "127.0.0.2" {
		t.Errorf("a client of %s is let in", got)
	}
	first.Close()
	dial("127.0.0.1")
	(<-accepted).Close()
	second.Close()
	other.Close()
	if len(l.of) != 0 {
		t.Errorf("still counted: %v", l.of)
	}
}
