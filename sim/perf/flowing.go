package perf

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/traffic"
)

// flowing is the traffic from a time on, and what former traffic has left.
type flowing struct {
	model *traffic.Model   // nil for none
	start time.Duration    // since the start of the counters
	past  []traffic.Totals // by port; nil: nothing
}

// SetTraffic makes the counters move from now on; nil is no traffic. What former
// traffic has counted stays.
func (c *Counters) SetTraffic(m *traffic.Model) {
	c.change.Lock()
	defer c.change.Unlock()
	next := &flowing{model: m, start: c.now()}
	if old := c.traffic.Load(); old != nil {
		next.past = make([]traffic.Totals, len(c.counted))
		for n := range c.model.Nodes() {
			for p := range n.Ports() {
				at := sim.Place{Node: n, Port: p.Num()}
				i, _ := c.port(at)
				c.passed(old, at, i, next.start, &next.past[i])
			}
		}
	}
	c.pauses.restart(next.start)
	c.traffic.Store(next)
}

// passed is what traffic has left at a port by a time.
func (c *Counters) passed(f *flowing, at sim.Place, p int, now time.Duration, t *traffic.Totals) {
	*t = traffic.Totals{}
	if f.model != nil {
		f.model.Read(at.Node, at.Port, c.linkTime(at, p, now)-f.start, t)
	}
	if f.past != nil {
		t.Add(&f.past[p])
	}
}

// pauses are the times in which links were down, by the lower of their ports'
// places. Links that were never down have none.
type pauses struct {
	any   atomic.Bool
	mu    sync.Mutex
	links map[int]*pause
}

// pause is the time that a link has lost.
type pause struct {
	isDown bool
	since  time.Duration
	lost   time.Duration // before
}

// pause stops the traffic of the link at a port.
func (c *Counters) pause(at sim.Place, p int) {
	s := &c.pauses
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.links == nil {
		s.links = map[int]*pause{}
	}
	key := c.link(at, p)
	if s.links[key] == nil {
		s.links[key] = &pause{}
	}
	if l := s.links[key]; !l.isDown {
		l.isDown, l.since = true, c.now()
	}
	s.any.Store(true)
}

// link names the link at a port by the lower of both ports' places.
func (c *Counters) link(at sim.Place, p int) int {
	if own := at.Node.Port(at.Port); own != nil && own.Remote() != nil {
		far, _ := c.port(sim.Place{Node: own.Remote().Node(), Port: own.Remote().Num()})
		return min(p, far)
	}
	return p
}

// linkTime is the time less that in which the link was down. Nobody tells when a
// link comes up: that is when its counters are next looked at.
func (c *Counters) linkTime(at sim.Place, p int, now time.Duration) time.Duration {
	s := &c.pauses
	if !s.any.Load() {
		return now
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.links[c.link(at, p)]
	if l == nil {
		return now
	}
	if f := c.sim.Load(); l.isDown && f != nil && f.IsUp(at) {
		l.isDown = false
		l.lost += max(c.now()-l.since, 0)
	}
	if l.isDown {
		now = min(now, l.since)
	}
	return now - l.lost
}

// restart makes links that are down be so from now on, and others never have
// been.
func (s *pauses) restart(now time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, l := range s.links {
		if !l.isDown {
			delete(s.links, key)
			continue
		}
		l.since, l.lost = now, 0
	}
}
