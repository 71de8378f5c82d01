package madrpc

import (
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// warm gives the client's estimates some round trips of 100 µs.
func warm(t *testing.T, c *Client, f *fake, n int) {
	t.Helper()
	on := f.onSend
	f.onSend = func(_ int, p mad.Packet) error {
		f.deliverAfter(100*time.Microsecond, reply(p))
		return nil
	}
	for i := range n {
		if err := c.Do(t.Context(), portInfo(ib.LID(1+i), 1)); err != nil {
			t.Fatal(err)
		}
	}
	f.onSend = on
}

// A slow agent gets a try too many at first. Its reply to the first one counts, is
// known as such, and later requests wait for long enough.
func TestSlowAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		c := New(f, nil)
		defer c.Close()
		warm(t, c, f, 10)
		f.onSend = func(_ int, p mad.Packet) error {
			f.deliverAfter(60*ms, reply(p))
			return nil
		}
		start := time.Now()
		r := portInfo(7, 1)
		if err := c.Do(t.Context(), r); err != nil || time.Since(start) != 60*ms {
			t.Fatalf("%v after %v", err, time.Since(start))
		}
		if s := c.Stats(); r.Tries < 2 || s.Spurious != 1 {
			t.Errorf("%d tries, %+v", r.Tries, s)
		}
		time.Sleep(time.Second)
		before := c.Stats()
		for range 20 {
			if err := c.Do(t.Context(), r.again7()); err != nil {
				t.Fatal(err)
			}
		}
		if s := c.Stats(); s.Resent != before.Resent || s.Late != 0 {
			t.Errorf("the client has not learned: %+v", s)
		}
	})
}

// again7 makes the request anew.
func (r *Request) again7() *Request {
	*r = *portInfo(7, 1)
	return r
}

// Each try has a transaction ID of its own, and the transport keeps each for as long
// as the request may take.
func TestTriesOfTheirOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		c := New(f, nil)
		defer c.Close()
		start := time.Now()
		err := c.Do(t.Context(), portInfo(7, 1))
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Error(err)
		}
		if took := time.Since(start); took < leastPatience || took > defaultDeadline {
			t.Errorf("gave up after %v", took)
		}
		seen := map[uint64]bool{}
		for _, s := range f.sends() {
			if seen[s.p.TID()] || s.timeout != defaultDeadline-s.at.Sub(start) {
				t.Errorf("ID %#x, kept for %v", s.p.TID(), s.timeout)
			}
			seen[s.p.TID()] = true
		}
		if n := len(seen); n < leastTries {
			t.Errorf("%d tries", n)
		}
	})
}

// What writes, or takes a while, is not repeated early.
func TestNotRepeatedEarly(t *testing.T) {
	for _, test := range []struct {
		class  mad.Class
		method mad.Method
	}{{mad.ClassSubnLID, mad.MethodSet}, {mad.ClassSubnAdm, mad.MethodGet}, {mad.ClassPerf, mad.MethodSet}} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			c := New(f, nil)
			defer c.Close()
			warm(t, c, f, 100)
			f.onSend = nil
			n := len(f.sends())
			r := &Request{Target: mad.ByLID(7)}
			r.Packet.Init(test.class, test.method, 0x0015, 1)
			start := time.Now()
			if err := c.Do(t.Context(), r); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(start) != 4*time.Second {
				t.Errorf("%v after %v", err, time.Since(start))
			}
			sent := f.sends()[n:]
			if len(sent) != 4 || sent[1].at.Sub(sent[0].at) != time.Second || sent[0].p.TID() != sent[1].p.TID() {
				t.Errorf("%d tries", len(sent))
			}
		})
	}
}

// The number of tries follows from the losses, and from whether somebody answers.
func TestEnoughTries(t *testing.T) {
	for _, test := range []struct {
		every           int // one of so many tries is lost
		unknown, proven int
	}{{0, leastTries, leastTries}, {50, leastTries, 6}, {10, 7, 10}, {3, 10, 15}} {
		var l lossRate
		for i := range 3000 {
			if test.every > 0 && i%test.every == 0 {
				l.note(1)
			} else {
				l.note(0)
			}
		}
		if u, p := l.enough(false), l.enough(true); u < test.unknown-1 || u > test.unknown+1 || p < test.proven-1 || p > test.proven+1 {
			t.Errorf("one of %d lost: %d and %d tries, want %d and %d", test.every, u, p, test.unknown, test.proven)
		}
	}
	var fresh lossRate
	if fresh.enough(false) < 8 {
		t.Errorf("%d tries when nothing is known", fresh.enough(false))
	}
}

// The window grows with replies, stops when they come late, and shrinks once for
// what was lost of what was sent before.
func TestCongestion(t *testing.T) {
	g := newCongestion()
	for range 500 {
		g.answered()
	}
	if g.size != firstWindow+500 {
		t.Errorf("%v after 500 replies", g.size)
	}
	g.lost(1*ms, 20*ms)
	shrunk := g.size
	for i := range 100 {
		g.lost(time.Duration(i)*ms/10, 21*ms)
	}
	if g.size != shrunk || shrunk >= firstWindow+500 {
		t.Errorf("%v after a loss, %v after more", shrunk, g.size)
	}
	for i := range 100 {
		g.lost(time.Duration(30+30*i)*ms, time.Duration(50+30*i)*ms)
	}
	if g.size != leastWindow {
		t.Errorf("%v when everything gets lost", g.size)
	}
	for range 10_000 {
		g.answered()
	}
	if g.size < 100 || g.size > 200 {
		t.Errorf("%v after 10,000 replies", g.size)
	}
	g.long = true
	for range 10_000 {
		g.answered()
	}
	if g.size > firstWindow {
		t.Errorf("%v when replies are long under way", g.size)
	}
}

// Below the rate packets go out as they come; no more than the burst runs ahead.
func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := echo(ms)
		c := New(f, &Options{Rate: 1000, MaxPerTarget: -1})
		defer c.Close()
		q := c.NewQueue()
		start := time.Now()
		for range 1000 {
			q.Start(portInfo(1, 0))
		}
		drain(t, q, 1000)
		for i, s := range f.sends() {
			if at := s.at.Sub(start); at < time.Duration(i-maxBurst+1)*ms || at > time.Duration(i)*ms {
				t.Fatalf("packet %d after %v", i, at)
			}
		}
	})
}

// Dead targets leave the window to others.
func TestDeadLeaveTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		c := New(f, nil)
		defer c.Close()
		warm(t, c, f, 20)
		f.onSend = func(_ int, p mad.Packet) error {
			if p.Modifier() != 66 {
				f.deliverAfter(100*time.Microsecond, reply(p))
			}
			return nil
		}
		q := c.NewQueue()
		for i := range 1000 {
			q.Start(portInfo(ib.LID(100+i), 66))
		}
		start := time.Now()
		for i := range 1000 {
			q.Start(portInfo(ib.LID(2000+i), 1))
		}
		for _, r := range drain(t, q, 1000) {
			if r.Err != nil {
				t.Fatal(r.Err)
			}
		}
		if took := time.Since(start); took > 100*ms {
			t.Errorf("the living took %v", took)
		}
		for _, r := range drain(t, q, 1000) {
			if !errors.Is(r.Err, os.ErrDeadlineExceeded) {
				t.Fatal(r.Err)
			}
		}
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("the dead took %v", took)
		}
	})
}
