package madrpc

import (
	"time"

	"github.com/ibscope/ibscope/mad"
)

const (
	// segmentWindow is how many packets an agent may send before it has to wait
	// for an ACK: as many as the Linux kernel lets it.
	segmentWindow = 64

	// maxAhead is how many packets of a stream wait for its reader.
	maxAhead = 4096
)

// transfer is how far the reply of a stream has come: the receiving side of RMPP
// (IBA vol. 1, 13.6.5). Packets are taken in order only; after a gap the agent
// sends again from the last one that was acknowledged.
type transfer struct {
	first    mad.Packet // of the reply
	hasFirst bool
	received uint32 // number of the last packet taken
	granted  uint32 // number of the last packet that the agent may send
	read     uint32 // packets whose data the reader has
	pending  []byte // data that it does not have yet
	ahead    uint32 // packets in pending
	held     bool   // the agent waits because the reader is behind
	acks     int    // ACKs sent since the last packet taken
	reminded int    // ACKs because nothing came
	ackDue   bool   // in Client.acks
	progress time.Duration
}

// inTransfer reports whether p takes part in RMPP. A packet without a type, or
// data without a number, is what somebody below has left of a message: a simulator
// that has no RMPP, a kernel that has put the message together.
func inTransfer(p *mad.Packet) bool {
	h := p.RMPP()
	return p.IsRMPP() && h.Type != 0 && (h.Type != mad.RMPPData || h.Data1 > 0)
}

// isActive reports whether packets have come and more are expected.
func (t *transfer) isActive() bool { return t.received > 0 }

// grant is the window to open after the last packet taken.
func (t *transfer) grant() uint32 {
	return min(t.received+segmentWindow, t.read+maxAhead)
}

// segment treats a packet of the reply to r.
func (c *Client) segment(r *Request, p *mad.Packet) {
	t, h := r.transfer, p.RMPP()
	switch h.Type {
	case mad.RMPPData:
	case mad.RMPPStop, mad.RMPPAbort:
		c.finish(r, newError(r, h.Status))
		return
	default:
		return // an ACK of nothing that we send
	}
	c.stats.Segments++
	isFirst := h.Data1 == 1
	switch {
	case h.Version != mad.RMPPVersion:
		c.refuse(r, mad.RMPPUnsupportedVersion)
	case isFirst != (h.Flags&mad.RMPPFirst != 0):
		c.refuse(r, mad.RMPPInconsistentFirst)
	case t.hasFirst && h.Data1 > t.granted:
		// More than was asked for: the bound on memory holds for rude agents too.
	case h.Data1 == t.received+1:
		c.take(r, p, &h)
	case h.Data1 <= t.received:
		c.acknowledge(r) // our ACK was lost
	case t.acks == 0:
		c.acknowledge(r) // one is missing; say so once
	}
}

// take adds the next packet to the reply of r.
func (c *Client) take(r *Request, p *mad.Packet, h *mad.RMPPHeader) {
	t := r.transfer
	if !t.hasFirst {
		t.first, t.hasFirst, t.granted = *p, true, 1
		c.rearm(r)
	}
	isLast := h.Flags&mad.RMPPLast != 0
	data := p.Data()
	if isLast {
		data = data[:lastLength(p, h)]
	}
	t.received++
	t.ahead++
	t.acks, t.reminded = 0, 0
	t.progress = c.now()
	t.pending = append(t.pending, data...)
	if isLast {
		t.granted = max(t.granted, t.received)
		c.control(ackOf(r, t.received, t.granted), r.addr)
		c.stats.Replies++
		slot := c.tids.slot(r.tid)
		slot.answered, slot.stopped = true, true
		c.finish(r, nil)
		return
	}
	if t.received >= t.granted {
		if t.held = t.grant() <= t.received; !t.held {
			t.granted = t.grant()
			c.acknowledge(r)
		}
	}
	c.tell(r.queue)
}

// lastLength is how much of the data area of a last packet counts. A length that
// cannot be stands for all of it, as in the Linux kernel.
func lastLength(p *mad.Packet, h *mad.RMPPHeader) int {
	whole := len(p.Data())
	header := mad.RMPPSegment - whole
	if n := int(h.Data2) - header; n >= 0 && n < whole {
		return n
	}
	return whole
}

// single treats a reply to r that does not use RMPP: it is all that there is.
func (c *Client) single(r *Request, p *mad.Packet) {
	t := r.transfer
	t.first, t.hasFirst = *p, true
	t.pending = append(t.pending[:0], p.Data()...)
}

// tell wakes the reader of a stream.
func (c *Client) tell(q *Queue) {
	if q.waiting {
		q.waiting = false
		notify(q.wake)
	}
}

// taken notes that the reader of r has all that had arrived, and lets an agent
// go on that had to wait.
func (c *Client) taken(r *Request) {
	t := r.transfer
	t.read += t.ahead
	t.ahead = 0
	if t.held && r.state != stateDone {
		t.held = false
		t.granted = t.grant()
		t.progress = c.now()
		c.acknowledge(r)
	}
}

// rearm has the timer of r, which is in its try, count from now on.
func (c *Client) rearm(r *Request) {
	c.unlist(r)
	r.state = stateFlying
	now := c.now()
	r.deadline = now + c.policy.tryTimeout(r, now)
	c.timers.add(r)
}

// stalled treats a stream whose deadline has come: when there was no progress the
// agent is reminded by an ACK, as often as a request is tried.
func (c *Client) stalled(r *Request, report error) {
	now := c.now()
	t, timeout := r.transfer, c.policy.tryTimeout(r, now)
	c.timers.remove(r)
	r.deadline = t.progress + timeout
	if r.deadline <= now {
		if !t.held && !c.policy.hasTries(r, t.reminded+1) {
			c.timers.add(r) // finish takes it out
			c.stats.TimedOut++
			c.finish(r, newError(r, &brokenOff{t.received, &noReply{tries: t.reminded + 1, timeout: timeout, report: report}}))
			return
		}
		if !t.held {
			t.reminded++
			c.acknowledge(r)
		}
		r.deadline = now + timeout
	}
	c.timers.add(r)
}
