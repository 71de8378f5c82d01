package madrpc

import (
	"errors"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// verdict says what became of a received packet.
type verdict uint8

const (
	used verdict = iota
	late
	duplicate
	unmatched
	malformed
	foreign
)

var verdictWords = [...]string{"used", "late reply", "duplicate reply", "reply to nothing asked", "malformed packet", "request of another"}

// receive is the goroutine that receives. An error that is not about a single
// request ends the client.
func (c *Client) receive() {
	p := new(mad.Packet)
	for {
		*p = mad.Packet{} // a short read must not show the packet before
		from, err := c.t.Recv(p)
		var v verdict
		if err == nil {
			v = c.deliver(p, from)
		} else if lost, ok := errors.AsType[*mad.SendError](err); ok {
			v = c.returned(p, lost)
		} else {
			c.fail(err)
			return
		}
		if v != used && c.log != nil {
			c.report(v, p, from)
		}
	}
}

// deliver gives a received packet to the request it answers.
func (c *Client) deliver(p *mad.Packet, from mad.Addr) verdict {
	c.mu.Lock()
	defer c.mu.Unlock()
	v := c.judge(p)
	switch v {
	case used:
		c.answer(c.tids.find(uint32(p.TID())), p)
	case late:
		c.stats.Late++
		c.repeated(p, from)
	case duplicate:
		c.stats.Duplicates++
		c.repeated(p, from)
	case unmatched:
		c.stats.Unmatched++
	case malformed:
		c.stats.Malformed++
	case foreign:
		c.stats.Foreign++
	}
	return v
}

// judge decides whether p is the reply to a request in flight; if so it is
// used.
func (c *Client) judge(p *mad.Packet) verdict {
	if !wellFormed(p) {
		return malformed
	}
	if !p.IsResponse() {
		return foreign
	}
	s := c.tids.find(uint32(p.TID()))
	switch {
	case s == nil:
		return unmatched
	case s.r != nil && answers(p, &s.r.Packet):
		return used
	case s.r != nil:
		return unmatched
	case s.answered:
		return duplicate
	}
	s.answered = true
	return late
}

// wellFormed reports whether p can be a management datagram at all.
func wellFormed(p *mad.Packet) bool {
	return p.BaseVersion() == 1 && (p.Class() != mad.ClassSubnDirected || p.HopCount() <= ib.MaxHops)
}

// answer ends r with its reply, or lets it rest when the agent was busy.
func (c *Client) answer(s *tidSlot, p *mad.Packet) {
	r, status := s.r, p.Status()
	if status&mad.StatusBusy != 0 {
		c.stats.Busy++
		r.held = max(r.held-1, 0)
		if r.state == stateResting || r.state == stateDue {
			return // busy to a try that is over anyway
		}
		if c.policy.mayRetry(r, c.now()) {
			c.rest(r)
			return
		}
	}
	if r.transfer != nil && status == mad.StatusOK && inTransfer(p) {
		c.segment(r, p)
		return
	}
	if r.transfer != nil && r.transfer.isActive() && !p.IsRMPP() {
		c.stats.Duplicates++ // to another try
		return
	}
	c.stats.Replies++
	c.learn(s)
	c.tids.slot(r.tid).answered = true
	var e *Error
	if status != mad.StatusOK {
		e = newError(r, status)
	} else if r.transfer != nil {
		c.single(r, p)
	}
	r.Packet = *p
	c.finish(r, e)
}

// measureEvery spares most replies to a first try the look at the clock, once there
// is a measurement.
const measureEvery = 4

// learn draws the conclusions from a reply that ends a request. To which try it
// replies is known where each has its own ID, and where there was one.
func (c *Client) learn(s *tidSlot) {
	r, early := s.r, s.tid != s.r.tid
	if early {
		c.stats.Spurious++
	}
	if r.transfer != nil {
		return
	}
	if r.Tries == 1 && c.stats.Replies%measureEvery != 0 && c.policy.hasMeasured(r) {
		c.policy.answeredAsBefore()
		return
	}
	now := c.now()
	if r.adapts || r.Tries == 1 {
		c.policy.answered(r, now-s.sent, r.Tries-1, early, now)
	} else {
		c.policy.repeated(r, now)
	}
}

// rest has r sent again after a back-off.
func (c *Client) rest(r *Request) {
	c.timers.remove(r)
	c.forgive(r)
	r.state = stateResting
	now := c.now()
	r.deadline = min(now+c.policy.backoff(r, now), r.last)
	c.timers.add(r)
	if r.deadline < c.alarm {
		c.kick()
	}
}

// returned treats a request that the transport reports as unanswered.
//
// A transport that tracks requests reports each accepted try once, in order.
// While it holds several of r, the report is about an earlier one, which our
// own clock has already ended.
func (c *Client) returned(p *mad.Packet, report *mad.SendError) verdict {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.Returned++
	s := c.tids.find(uint32(p.TID()))
	if s == nil || s.r != nil && !sameRequest(p, &s.r.Packet) {
		c.stats.Unmatched++
		return unmatched
	}
	r := s.r
	if r == nil || r.tid != s.tid {
		return used // of a request or a try that has ended: nothing is missing
	}
	r.held = max(r.held-1, 0)
	if r.held == 0 && (r.state == stateFlying || r.state == stateHeld) {
		c.lost(r, report, c.now())
	}
	return used
}

// report logs a packet that was of no use. Its fields are numbers: nothing
// from the fabric reaches the log as text.
func (c *Client) report(v verdict, p *mad.Packet, from mad.Addr) {
	if c.log == nil {
		return
	}
	c.log.Debug(verdictWords[v],
		"lid", int(from.LID),
		"class", p.Class().String(),
		"method", p.Method().String(),
		"attribute", p.AttrID().String(),
		"modifier", uint64(p.Modifier()),
		"tid", p.TID(),
		"status", int(p.Status()))
}
