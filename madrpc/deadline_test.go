package madrpc

import (
	"math/rand/v2"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// hostile is a transport on which everything goes wrong by chance.
func hostile(rnd *rand.Rand) *fake {
	f := newFake()
	f.onSend = func(_ int, p mad.Packet) error { // called by one goroutine
		lid, late := p.Modifier(), time.Duration(rnd.IntN(300))*time.Millisecond
		switch dice := rnd.IntN(100); {
		case lid%5 == 0 || dice < 30: // dead, or lost
		case dice < 40:
			f.deliverAfter(late, withStatus(reply(p), mad.StatusBusy))
		case dice < 50:
			f.deliverAfter(late, reply(p))
			f.deliverAfter(2*late, reply(p))
		case dice < 55:
			time.AfterFunc(late, func() { f.giveBack(p, syscall.ETIMEDOUT) })
		case dice < 60:
			return syscall.EAGAIN
		case dice < 70:
			f.deliverAfter(late*20, reply(p))
		default:
			f.deliverAfter(time.Duration(rnd.IntN(1000))*time.Microsecond, reply(p))
		}
		return nil
	}
	return f
}

// No request outlives its deadline, whatever is lost, late, busy, refused, or dead,
// and with any options; and all of them end.
func TestDeadlineHolds(t *testing.T) {
	for seed := range uint64(60) {
		synctest.Test(t, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 1))
			deadline := time.Duration(1+rnd.IntN(3000)) * time.Millisecond
			o := &Options{Deadline: deadline, MaxPerTarget: -1, MaxOutstanding: 1 << 16}
			if seed%3 == 0 {
				o.Timeout = time.Duration(1+rnd.IntN(2000)) * time.Millisecond
			}
			if seed%4 == 0 {
				o.Retries = rnd.IntN(30) - 1
			}
			if seed%5 == 0 {
				o.MaxOutstanding = 0
			}
			c := New(hostile(rnd), o)
			defer c.Close()
			q := c.NewQueue()
			start := time.Now()
			const count = 60 // fewer than any window has room for
			for i := range count {
				r := portInfo(ib.LID(1+i), uint32(i))
				if i%7 == 0 {
					r.Packet.SetMethod(mad.MethodSet)
				}
				r.Proven = i%2 == 0
				q.Start(r)
			}
			for range count {
				if _, err := q.Next(t.Context()); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(start); took > deadline {
					t.Errorf("seed %d, %+v: a request took %v", seed, *o, took)
				}
			}
		})
	}
}
