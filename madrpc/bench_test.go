package madrpc

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// loop is the least a transport can do: what is sent comes back as its reply,
// through a ring without allocation.
type loop struct {
	mu         sync.Mutex
	cond       sync.Cond
	ring       [1024]mad.Packet
	head, tail int
	closed     bool
}

func newLoop() *loop {
	l := new(loop)
	l.cond.L = &l.mu
	return l
}

func (l *loop) Send(p *mad.Packet, _ mad.Addr, _ time.Duration) error {
	l.mu.Lock()
	slot := &l.ring[l.tail%len(l.ring)]
	*slot = *p
	slot.SetMethod(mad.MethodGetResp)
	l.tail++
	l.mu.Unlock()
	l.cond.Signal()
	return nil
}

func (l *loop) Recv(p *mad.Packet) (mad.Addr, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.head == l.tail && !l.closed {
		l.cond.Wait()
	}
	if l.closed {
		return mad.Addr{}, os.ErrClosed
	}
	*p = l.ring[l.head%len(l.ring)]
	l.head++
	return mad.Addr{}, nil
}

func (l *loop) Close() error {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.cond.Signal()
	return nil
}

// stream keeps n requests to as many targets going.
type stream struct {
	q    *Queue
	lids int
	next int
}

func newStream(c *Client, n, lids int) *stream {
	s := &stream{q: c.NewQueue(), lids: lids}
	for range n {
		s.start(new(Request))
	}
	return s
}

func (s *stream) start(r *Request) {
	r.Target = mad.ByLID(ib.LID(1 + s.next%s.lids))
	s.next++
	r.Packet.Init(mad.ClassSubnLID, mad.MethodGet, 0x0015, 1)
	s.q.Start(r)
}

func (s *stream) step(tb testing.TB) {
	r, err := s.q.Next(context.Background())
	if err != nil || r.Err != nil {
		tb.Fatal(err, r)
	}
	s.start(r)
}

func TestStreamDoesNotAllocate(t *testing.T) {
	for _, o := range []Options{{}, {MaxPerTarget: -1}, {MaxPerTarget: 1}} {
		c := New(newLoop(), &o)
		s := newStream(c, 100, 1000)
		for range 3000 {
			s.step(t)
		}
		if n := testing.AllocsPerRun(3, func() {
			for range 3000 {
				s.step(t)
			}
		}); n > 3 { // for 3000 requests; the runtime has some of its own
			t.Errorf("%d per target: %v allocations in 3000 requests", o.MaxPerTarget, n)
		}
		c.Close()
	}
}

func TestDoDoesNotAllocate(t *testing.T) {
	c := New(newLoop(), nil)
	defer c.Close()
	r := new(Request)
	n := testing.AllocsPerRun(1000, func() {
		r.Target = mad.ByLID(1)
		r.Packet.Init(mad.ClassSubnLID, mad.MethodGet, 0x0015, 1)
		if err := c.Do(context.Background(), r); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations per Do", n)
	}
}

func BenchmarkQueue(b *testing.B) {
	for _, bench := range []struct {
		name  string
		o     Options
		depth int
	}{
		{"default", Options{}, 128},
		{"window 1000", Options{MaxOutstanding: 1000}, 1000},
		{"no target limit", Options{MaxPerTarget: -1}, 128},
	} {
		b.Run(bench.name, func(b *testing.B) {
			c := New(newLoop(), &bench.o)
			defer c.Close()
			s := newStream(c, bench.depth, 1000)
			b.ReportAllocs()
			for b.Loop() {
				s.step(b)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
		})
	}
}

func BenchmarkDo(b *testing.B) {
	c := New(newLoop(), nil)
	defer c.Close()
	r := new(Request)
	b.ReportAllocs()
	for b.Loop() {
		r.Target = mad.ByLID(1)
		r.Packet.Init(mad.ClassSubnLID, mad.MethodGet, 0x0015, 1)
		if err := c.Do(context.Background(), r); err != nil {
			b.Fatal(err)
		}
	}
}
