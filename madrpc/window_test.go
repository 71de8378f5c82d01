package madrpc

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// drain takes n requests out of q.
func drain(t *testing.T, q *Queue, n int) []*Request {
	t.Helper()
	var done []*Request
	for range n {
		r, err := q.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		done = append(done, r)
	}
	return done
}

// 100 requests, 8 in flight, 10 ms each: 13 rounds.
func TestWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := echo(10 * ms)
		c := New(f, &Options{MaxOutstanding: 8, MaxPerTarget: -1})
		defer c.Close()
		q := c.NewQueue()
		start := time.Now()
		for i := range 100 {
			q.Start(portInfo(1, uint32(i)))
		}
		synctest.Wait()
		if s := c.Stats(); s.InFlight != 8 || s.Waiting != 92 || s.Window != 8 || q.Len() != 100 {
			t.Errorf("%+v, queue %d", s, q.Len())
		}
		for _, r := range drain(t, q, 100) {
			if r.Err != nil {
				t.Fatal(r.Err)
			}
		}
		for i, s := range f.sends() {
			if s.p.Modifier() != uint32(i) {
				t.Fatalf("packet %d asks for port %d", i, s.p.Modifier())
			}
		}
		if d := time.Since(start); d != 130*ms {
			t.Errorf("took %v", d)
		}
		checkStats(t, c, Stats{Sent: 100, Replies: 100})
	})
}

// A target at its limit does not hold up others: those behind it go first.
func TestTargetLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := echo(10 * ms)
		c := New(f, &Options{MaxOutstanding: 8, MaxPerTarget: 2})
		defer c.Close()
		q := c.NewQueue()
		start := time.Now()
		for range 6 {
			q.Start(portInfo(1, 0))
		}
		q.Start(portInfo(2, 0))
		q.Start(portInfo(3, 0))
		drain(t, q, 8)
		var sent []sentTo
		for _, s := range f.sends() {
			sent = append(sent, sentTo{s.at.Sub(start), s.to.LID})
		}
		want := []sentTo{{0, 1}, {0, 1}, {0, 2}, {0, 3}, {10 * ms, 1}, {10 * ms, 1}, {20 * ms, 1}, {20 * ms, 1}}
		if diff := cmp.Diff(want, sent); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		checkStats(t, c, Stats{Sent: 8, Replies: 8})
	})
}

type sentTo struct {
	At  time.Duration
	LID ib.LID
}

// Many requests to one target take turns with one each to many others.
func TestFairness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := echo(10 * ms)
		c := New(f, &Options{MaxOutstanding: 2, MaxPerTarget: 1})
		defer c.Close()
		q := c.NewQueue()
		for range 4 {
			q.Start(portInfo(1, 0))
		}
		for lid := range ib.LID(6) {
			q.Start(portInfo(2+lid, 0))
		}
		drain(t, q, 10)
		var sent []ib.LID
		for _, s := range f.sends() {
			sent = append(sent, s.to.LID)
		}
		// The second request to LID 1 joins the tail when the first ends, and so on.
		want := []ib.LID{1, 2, 3, 4, 5, 6, 7, 1, 1, 1}
		if diff := cmp.Diff(want, sent); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// A dead target costs others nothing while its requests wait and expire.
func TestDeadTarget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.onSend = func(_ int, p mad.Packet) error {
			if p.Modifier() != 66 {
				f.deliverAfter(9*ms, reply(p))
			}
			return nil
		}
		c := New(f, &Options{MaxOutstanding: 4, MaxPerTarget: 2, Timeout: 100 * ms, Retries: -1})
		defer c.Close()
		q := c.NewQueue()
		start := time.Now()
		for range 20 {
			q.Start(portInfo(1, 66))
		}
		for i := range 20 {
			q.Start(portInfo(ib.LID(2+i), 0))
		}
		for _, r := range drain(t, q, 20) {
			if r.Err != nil || r.Target.LID == 1 {
				t.Fatalf("%v", r.Err)
			}
		}
		if d := time.Since(start); d != 90*ms {
			t.Errorf("the living took %v", d) // 10 rounds of the two places left
		}
		for _, r := range drain(t, q, 20) {
			if !errors.Is(r.Err, os.ErrDeadlineExceeded) {
				t.Fatalf("%v", r.Err)
			}
		}
		if d := time.Since(start); d != time.Second {
			t.Errorf("the dead took %v", d) // 10 rounds of 100 ms, 2 at a time
		}
		checkStats(t, c, Stats{Sent: 40, Replies: 20, TimedOut: 20})
	})
}

// Giving up a request that waits for its target leaves the limit as it is.
func TestCancelWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := echo(50 * ms)
		c := New(f, &Options{MaxPerTarget: 1})
		defer c.Close()
		q := c.NewQueue()
		q.Start(portInfo(1, 1))
		ctx, cancel := context.WithTimeout(t.Context(), 10*ms)
		defer cancel()
		go c.Do(ctx, portInfo(1, 2))
		synctest.Wait()
		q.Start(portInfo(1, 3))
		time.Sleep(20 * ms)
		if s := c.Stats(); s.InFlight != 1 || s.Waiting != 1 || s.Cancelled != 1 {
			t.Errorf("%+v", s)
		}
		drain(t, q, 2)
		if sent := f.sends(); len(sent) != 2 || sent[1].p.Modifier() != 3 {
			t.Errorf("sent %d packets", len(sent))
		}
		checkStats(t, c, Stats{Sent: 2, Replies: 2, Cancelled: 1})
	})
}

// Everything at once, under the race detector: losses, duplicates, strays,
// busy agents, cancelled callers. Every request ends, nothing is left over.
func TestStorm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		rnd := rand.New(rand.NewPCG(1, 2)) // used by the sender only
		f.onSend = func(_ int, p mad.Packet) error {
			delay := time.Duration(rnd.IntN(40)) * ms
			switch rnd.IntN(12) {
			case 0, 1: // lost
			case 2:
				f.deliverAfter(delay, withStatus(reply(p), mad.StatusBusy))
			case 3:
				f.deliverAfter(delay, reply(p))
				f.deliverAfter(delay+30*ms, reply(p))
			case 4:
				time.AfterFunc(delay, func() { f.giveBack(p, os.ErrDeadlineExceeded) })
			case 5:
				stray := reply(p)
				stray.SetModifier(p.Modifier() + 1)
				f.deliver(stray)
				f.deliver(p)
				f.deliver(mad.Packet{})
			default:
				f.deliverAfter(delay, reply(p))
			}
			return nil
		}
		c := New(f, &Options{MaxOutstanding: 16, MaxPerTarget: 3, Timeout: 30 * ms})
		results := make(chan int)
		const workers, each = 8, 200
		for w := range workers {
			go func() { results <- stormQueue(t, c, ib.LID(w), each) }()
			go func() { results <- stormDo(c, ib.LID(w), each) }()
		}
		total := 0
		for range 2 * workers {
			total += <-results
		}
		time.Sleep(time.Minute)
		s := c.Stats()
		if s.Replies == 0 || s.Resent == 0 || s.TimedOut == 0 || s.Cancelled == 0 || s.Late == 0 || s.Duplicates == 0 {
			t.Errorf("not much of a storm: %+v", s)
		}
		if total != 2*workers*each || s.InFlight != 0 || s.Waiting != 0 || c.targets.inUse() != 0 || len(c.timers.heap) != 0 {
			t.Errorf("%d ended, left: %+v, %d targets, %d timers", total, s, c.targets.inUse(), len(c.timers.heap))
		}
		if c.Close() != nil {
			t.Error("Close")
		}
	})
}

func stormQueue(t *testing.T, c *Client, lid ib.LID, n int) (ended int) {
	q := c.NewQueue()
	defer q.Close()
	for i := range n {
		q.Start(portInfo(1+(lid+ib.LID(i))%6, uint32(i%100)))
	}
	for {
		r, err := q.Next(context.Background())
		if err != nil {
			return ended
		}
		ended++
		if r.Err == nil && (r.Packet.SMPData()[0] != 0xaa || r.Packet.Method() != mad.MethodGetResp) {
			t.Error("success without a reply")
		}
	}
}

func stormDo(c *Client, lid ib.LID, n int) (ended int) {
	for i := range n {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(10+i%50)*ms)
		c.Do(ctx, portInfo(1+lid%6, uint32(i%100)))
		cancel()
		ended++
	}
	return ended
}
