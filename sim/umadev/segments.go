package umadev

import (
	"bytes"
	"time"

	"github.com/ibscope/ibscope/mad"
)

// What mad_rmpp.c does for the agents that leave RMPP to the kernel when they
// send: it takes messages apart, and sends as many segments as the receiver
// takes.

// segmentTimeout is the most that an acknowledgement may take.
const segmentTimeout = 2 * time.Second

// segments is a message that is sent (IBA vol. 1, 13.6.6.2).
type segments struct {
	header  mad.Packet // of each segment, and no data
	data    []byte
	size    int // of the data in a segment
	count   uint32
	acked   uint32 // the receiver has all up to this one
	window  uint32 // the receiver takes up to this one
	sent    uint32
	retries uint32 // what a request gets back with each progress
}

// takeApart makes segments of a message; nil for one that ends before its data.
func takeApart(p *mad.Packet, message []byte) *segments {
	at := headerOf(p.Class())
	if len(message) < at {
		return nil
	}
	s := &segments{header: *p, data: bytes.Clone(message[at:]), size: mad.Size - at, window: 1}
	clear(s.header[at:])
	s.count = uint32(max(1, (len(s.data)+s.size-1)/s.size))
	return s
}

// isOver reports whether the receiver has all.
func (s *segments) isOver() bool { return s.acked == s.count }

// next is the next segment that may be sent; false if that has to wait.
func (s *segments) next() (p mad.Packet, ok bool) {
	if s.sent >= min(s.window, s.count) {
		return p, false
	}
	s.sent++
	p = s.header
	part := s.data[int(s.sent-1)*s.size:]
	part = part[:min(len(part), s.size)]
	copy(p[mad.Size-s.size:], part)
	h := p.RMPP()
	h.Version, h.Type, h.Flags, h.Status = mad.RMPPVersion, mad.RMPPData, mad.RMPPActive, mad.RMPPNormal
	h.Data1, h.Data2 = s.sent, 0
	perSegment := uint32(segmentBytes - s.size) // of the header counts as data
	if s.sent == 1 {
		h.Flags |= mad.RMPPFirst
		h.Data2 = uint32(len(s.data)) + s.count*perSegment
	}
	if s.sent == s.count {
		h.Flags |= mad.RMPPLast
		h.Data2 = uint32(len(part)) + perSegment
	}
	p.SetRMPP(h)
	return p, true
}

// sendSegments sends what the window has room for. The caller holds d.sending,
// which keeps the segments in order.
func (d *Device) sendSegments(r *request) {
	for {
		d.mu.Lock()
		if r.agent.requests[r.key()] != r {
			d.mu.Unlock()
			return
		}
		p, ok := r.long.next()
		d.mu.Unlock()
		if !ok {
			return
		}
		_ = d.wire.Send(&p, r.to, r.timeout)
	}
}

// acknowledged is an ACK of r. It returns what to answer, if anything, and
// whether there may be more to send. The device's lock is held.
func (r *request) acknowledged(p *mad.Packet) (answer *mad.Packet, goOn bool) {
	h, s := p.RMPP(), r.long
	switch {
	case h.Version != mad.RMPPVersion:
		r.finish()
		return control(p, mad.RMPPHeader{Type: mad.RMPPAbort, Status: mad.RMPPUnsupportedVersion}), false
	case h.Data2 < h.Data1:
		r.finish()
		return control(p, mad.RMPPHeader{Type: mad.RMPPAbort, Status: mad.RMPPNewWindowTooSmall}), false
	case s.isOver():
		return turnAround(p), false // the last turn was lost
	case h.Data1 > s.count:
		r.finish()
		return control(p, mad.RMPPHeader{Type: mad.RMPPAbort, Status: mad.RMPPSegmentNumberTooBig}), false
	case h.Data2 < s.window || h.Data1 < s.acked:
		return nil, false // an old one
	}
	if h.Data1 > s.acked {
		s.acked = h.Data1
		s.sent = max(s.sent, s.acked)
		r.retries = s.retries
	}
	s.window = h.Data2
	if s.isOver() && r.timeout == 0 {
		r.finish() // nothing else is awaited
		return nil, false
	}
	r.timer.Reset(r.patience())
	if s.isOver() {
		return turnAround(p), false
	}
	return nil, true
}

// turnAround is the ACK that lets the other side begin with its answer
// (13.6.6.3).
func turnAround(p *mad.Packet) *mad.Packet {
	return control(p, mad.RMPPHeader{Type: mad.RMPPAck, Data1: 0, Data2: 1})
}

// refused is a STOP or an ABORT of r: the client does not hear of it.
func (r *request) refused() {
	if !r.long.isOver() {
		r.finish()
	}
}
