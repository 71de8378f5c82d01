package madrpc

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

func TestNextContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(echo(50*ms), nil)
		defer c.Close()
		q := c.NewQueue()
		if _, err := q.Next(t.Context()); err != ErrEmpty {
			t.Errorf("empty: %v", err)
		}
		r := portInfo(1, 0)
		r.Tag = "mine"
		q.Start(r)
		ctx, cancel := context.WithTimeout(t.Context(), 10*ms)
		defer cancel()
		if _, err := q.Next(ctx); err != context.DeadlineExceeded || q.Len() != 1 {
			t.Errorf("%v, %d left", err, q.Len())
		}
		if got := q.Poll(); got != nil {
			t.Errorf("Poll before the reply: %+v", got)
		}
		got, err := q.Next(t.Context())
		if err != nil || got != r || r.Err != nil || r.Tag != "mine" || q.Len() != 0 {
			t.Errorf("after all: %v, %+v", err, got)
		}
		q.Start(r)
		time.Sleep(60 * ms)
		if got := q.Poll(); got != r || q.Len() != 0 {
			t.Errorf("Poll after the reply: %+v, %d left", got, q.Len())
		}
		q.Start(r) // it is the caller's again
		q.Close()
	})
}

// Close gives every request back, whatever it was doing, and ends a waiting
// Next. The requests can be used again elsewhere.
func TestQueueClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(echo(50*ms), &Options{MaxOutstanding: 4, MaxPerTarget: 2})
		defer c.Close()
		q := c.NewQueue()
		var all []*Request
		for i := range 20 {
			r := portInfo(ib.LID(1+i%4), uint32(i))
			all = append(all, r)
			q.Start(r)
		}
		time.Sleep(75 * ms) // 4 done, 4 in flight, 12 waiting
		other := c.NewQueue()
		other.Start(portInfo(1, 0))
		drain(t, q, 4)
		ended := make(chan error)
		go func() {
			_, err := q.Next(t.Context())
			ended <- err
		}()
		synctest.Wait()
		q.Close()
		if err := <-ended; err != ErrEmpty || q.Len() != 0 {
			t.Errorf("Next: %v, %d left", err, q.Len())
		}
		cancelled := 0
		for _, r := range all {
			if errors.Is(r.Err, context.Canceled) {
				cancelled++
			}
		}
		if cancelled != 16 {
			t.Errorf("%d cancelled", cancelled)
		}
		q.Start(all[0])
		if r, err := q.Next(t.Context()); err != nil || !errors.Is(r.Err, context.Canceled) {
			t.Errorf("Start after Close: %v, %v", err, r)
		}
		for _, r := range all[:3] {
			r.Packet.Init(mad.ClassSubnLID, mad.MethodGet, 0x0015, 0)
			other.Start(r)
		}
		for _, r := range drain(t, other, 4) {
			if r.Err != nil {
				t.Error(r.Err)
			}
		}
		q.Close()
		checkStats(t, c, Stats{Sent: 12, Replies: 8, Cancelled: 16, Late: 4})
	})
}

func TestStartTwicePanics(t *testing.T) {
	c := New(newFake(), nil)
	defer c.Close()
	q := c.NewQueue()
	r := portInfo(1, 0)
	q.Start(r)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
		q.Close()
	}()
	q.Start(r)
}

// The packet that Send sees is no part of the request: it may be read after
// the request has ended and been filled anew (the race detector watches).
func TestNoSharedBuffer(t *testing.T) {
	f := newFake()
	slow := &lingering{fake: f, release: make(chan struct{}), seen: make(chan mad.AttrID)}
	c := New(slow, nil)
	defer c.Close()
	r := portInfo(1, 7)
	if err := c.Do(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	r.Packet.Init(mad.ClassSubnLID, mad.MethodGet, 0x0011, 0)
	close(slow.release)
	if attr := <-slow.seen; attr != 0x0015 {
		t.Errorf("the packet being sent changed to attribute %v", attr)
	}
}

// lingering answers a request before its Send has read the packet to the end.
type lingering struct {
	*fake
	release chan struct{}
	seen    chan mad.AttrID
}

func (l *lingering) Send(p *mad.Packet, _ mad.Addr, _ time.Duration) error {
	l.deliver(reply(*p))
	<-l.release
	l.seen <- p.AttrID()
	return nil
}

func TestLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.onSend = func(_ int, p mad.Packet) error {
			f.deliver(reply(p))
			f.deliver(reply(p))
			f.deliver(mad.Packet{})
			return nil
		}
		var out bytes.Buffer
		c := New(f, &Options{Logger: slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))})
		if err := c.Do(t.Context(), portInfo(1, 7)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		c.Close()
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(lines) != 2 || !strings.Contains(lines[0], `msg="duplicate reply"`) || !strings.Contains(lines[0], "attribute=0x0015") ||
			!strings.Contains(lines[1], `msg="malformed packet"`) {
			t.Errorf("logged:\n%s", out.String())
		}
	})
}
