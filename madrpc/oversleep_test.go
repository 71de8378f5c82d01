package madrpc

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// TestOversleep: a client that did not run when a deadline came looks for the
// reply before it sends again. Here sending takes that long, and the reply comes
// when the client runs again.
func TestOversleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		const quick, stall = 10 * time.Microsecond, 100 * time.Millisecond
		n := 0
		f.onSend = func(i int, p mad.Packet) error {
			n = i
			switch p.Modifier() {
			case 1001:
				f.deliverAfter(stall+time.Millisecond, reply(p))
			case 1002:
				time.Sleep(stall) // as if the process had been stopped
				f.deliverAfter(quick, reply(p))
			default:
				f.deliverAfter(quick, reply(p))
			}
			return nil
		}
		c := New(f, nil)
		defer c.Close()
		q := c.NewQueue()
		for i := range 100 { // round trips are learned
			q.Start(portInfo(ib.LID(1+i%10), uint32(i)))
			drain(t, q, 1)
		}
		before := n
		q.Start(portInfo(1, 1001))
		q.Start(portInfo(2, 1002))
		for _, r := range drain(t, q, 2) {
			if r.Err != nil {
				t.Error(r.Err)
			}
		}
		if s := c.Stats(); n != before+2 || s.Resent != 0 || s.Spurious != 0 {
			t.Errorf("%d packets were sent for 2 requests, %+v", n-before, s)
		}
	})
}
