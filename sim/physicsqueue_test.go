package sim

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestQueue compares the queue with a clock that ticks: requests that come in
// the order of their arrival are served one after the other.
func TestQueue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		service, depth := 1+r.IntN(20), r.IntN(6)
		q := agentQueue{service: time.Duration(service), depth: depth}
		var arrivals []int
		for range 100 {
			arrivals = append(arrivals, r.IntN(800))
		}
		slices.Sort(arrivals)
		var held []int // the times at which those are done that the agent holds
		for _, at := range arrivals {
			held = slices.DeleteFunc(held, func(done int) bool { return done <= at })
			want := -1
			if depth == 0 || len(held) < depth {
				want = at + service
				if len(held) > 0 {
					want = held[len(held)-1] + service
				}
				held = append(held, want)
			}
			now := max(0, at-r.IntN(50))
			done, ok := q.admit(time.Duration(now), time.Duration(at), 1)
			if ok != (want >= 0) || ok && int(done) != want {
				t.Fatalf("service %d, depth %d: arrival at %d: %d %v, want %d", service, depth, at, done, ok, want)
			}
		}
		if c := q.statistics(); c.Received != 100 || c.Busy != time.Duration(100-int(c.Dropped))*q.service || depth > 0 && c.MaxQueue > depth {
			t.Fatalf("%+v", c)
		}
	}
}

// TestQueueGaps: whatever the order in which requests are told of, an agent
// works on one at a time, and on none before it has come.
func TestQueueGaps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		q := agentQueue{service: time.Duration(1 + r.IntN(20))}
		var ends []time.Duration
		for range 100 {
			arrival := time.Duration(r.IntN(3000))
			done, ok := q.admit(0, arrival, 0)
			if !ok || done < arrival+q.service {
				t.Fatalf("arrival at %d is done at %d, service %d", arrival, done, q.service)
			}
			ends = append(ends, done)
		}
		slices.Sort(ends)
		for i := range ends[1:] {
			if ends[i+1]-ends[i] < q.service {
				t.Fatalf("two at once: done at %d and %d, service %d", ends[i], ends[i+1], q.service)
			}
		}
	}
}

// TestQueuePorts: what one port holds takes no place from another, and yet the
// agent works on one request at a time.
func TestQueuePorts(t *testing.T) {
	q := agentQueue{service: 10, depth: 2}
	for i, want := range []struct {
		port uint8
		done time.Duration
		ok   bool
	}{{1, 10, true}, {1, 20, true}, {1, 0, false}, {2, 30, true}, {2, 40, true}, {2, 0, false}, {1, 0, false}} {
		if done, ok := q.admit(0, 0, want.port); done != want.done || ok != want.ok {
			t.Errorf("request %d at port %d: %d %v, want %d %v", i, want.port, done, ok, want.done, want.ok)
		}
	}
	if c := q.statistics(); c.MaxQueue != 2 || c.Dropped != 3 || c.Busy != 40 {
		t.Errorf("%+v", c)
	}
	if _, ok := q.admit(15, 15, 1); !ok {
		t.Error("one request is done, and its place is not free")
	}
}

// TestFlapTimes: how a cable comes and goes, and what nobody saw.
func TestFlapTimes(t *testing.T) {
	type step struct {
		now            time.Duration
		goesDown, isUp bool
		next           time.Duration
	}
	f := newFlap(nil, &Part{Period: 100, Up: 0.3})
	wasDown := false
	for _, s := range []step{
		{0, false, true, 30},
		{29, false, true, 30},
		{30, true, false, 100},
		{99, false, false, 100},
		{100, false, true, 130},
		{129, false, true, 130},
		{250, true, false, 300},
		{610, true, true, 630},
		{620, false, true, 630},
	} {
		down, up, next := f.until(s.now)
		if down != s.goesDown || f.isDown == s.isUp || next != s.next || up != (s.isUp && (wasDown || down)) {
			t.Errorf("at %d: down %v, up %v, is down %v, next %d, want %+v", s.now, down, up, f.isDown, next, s)
		}
		wasDown = f.isDown
	}
}
