package madrpc

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/mad"
)

// TestFarewell: an acknowledgement that waits to be sent goes out when the client is
// closed, for the agent waits for it.
func TestFarewell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		c := New(f, nil)
		synctest.Wait() // the sender sleeps
		r := portInfo(1, 1)
		c.mu.Lock()
		c.control(ackOf(r, 3, 64), mad.Addr{LID: 1})
		c.mu.Unlock()
		c.Close()
		if n := len(f.sends()); n != 1 {
			t.Errorf("%d packets were sent", n)
		}
	})
}

// stuck is a transport that does not take packets until it is closed.
type stuck struct{ *fake }

func (s stuck) Send(*mad.Packet, mad.Addr, time.Duration) error {
	<-s.closed
	return nil
}

func TestCloseOfStuckTransport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(stuck{newFake()}, nil)
		q := c.NewQueue()
		q.Start(portInfo(1, 1))
		synctest.Wait()
		start := time.Now()
		c.Close()
		if d := time.Since(start); d != farewell {
			t.Errorf("Close took %v", d)
		}
	})
}
