package madrpc

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/mad"
)

// TestOrderedEnds leaves the loop early and ends its context: nothing stays in
// flight, and the requests that were not sent in time have an error.
func TestOrderedEnds(t *testing.T) {
	f := newFake()
	c := New(f, &Options{Retries: -1})
	defer c.Close()
	prepare := func(i int, r *Request) {
		r.Target = mad.ByLID(7)
		r.Packet.Init(mad.ClassSubnLID, mad.MethodGet, 0x15, uint32(i))
	}
	for range Ordered(t.Context(), c, 0, 4, prepare) {
		t.Error("a request of none")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n := 0
	for i, r := range Ordered(ctx, c, 100, 4, prepare) {
		n++
		if i != 0 || !errors.Is(r.Err, context.Canceled) {
			t.Errorf("request %d: %v", i, r.Err)
		}
	}
	if s := c.Stats(); n != 1 || s.InFlight != 0 || s.Waiting != 0 {
		t.Errorf("%d requests, %+v", n, s)
	}
}

// TestOrdered has replies come back in another order than they are yielded in.
func TestOrdered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.onSend = func(n int, p mad.Packet) error {
			f.deliverAfter(time.Duration(10-n%7)*time.Millisecond, reply(p))
			return nil
		}
		c := New(f, &Options{MaxPerTarget: -1})
		defer c.Close()
		next := 0
		for i, r := range Ordered(t.Context(), c, 50, 8, func(i int, r *Request) {
			r.Target = mad.ByLID(7)
			r.Packet.Init(mad.ClassSubnLID, mad.MethodGet, 0x15, uint32(i))
		}) {
			if i != next || r.Err != nil || r.Packet.Modifier() != uint32(i) {
				t.Fatalf("request %d in place %d: modifier %d, %v", i, next, r.Packet.Modifier(), r.Err)
			}
			if ahead := len(f.sends()) - i; ahead > 8 {
				t.Errorf("%d requests ahead", ahead)
			}
			next++
		}
		if next != 50 || len(f.sends()) != 50 {
			t.Errorf("%d requests, %d sent", next, len(f.sends()))
		}
	})
}
