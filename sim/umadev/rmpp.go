package umadev

import (
	"encoding/binary"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// What mad_rmpp.c does for the agents that leave RMPP to the kernel when they
// receive: it joins the segments of a long message, and acknowledges them.

const (
	rmppWindow   = 64               // segments that the sender may be ahead
	rmppTimeout  = 40 * time.Second // between a first segment and the last
	maxMessage   = 256 << 20        // bytes of one message; the kernel has no bound but memory
	maxMessages  = 64               // that an agent joins at a time
	madHeader    = 56               // where the data of subnet administration begins
	deviceHeader = 64               // and that of device management
	vendorHeader = 40               // and that of vendor classes
	segmentBytes = 220              // what a packet carries behind the RMPP header
)

// messageKey is what tells the long messages to an agent apart.
type messageKey struct {
	tid    uint64
	class  mad.Class
	method mad.Method
	from   ib.LID
}

// message is one of several segments as it grows: the first packet, then
// the data of the others.
type message struct {
	bytes   []byte
	last    uint32 // the segment that came last; they come in order or are asked again
	window  uint32 // the sender may send up to this one
	expires *time.Timer
}

// headerOf is where the data begins in a packet.
func headerOf(c mad.Class) int {
	switch {
	case c == mad.ClassSubnAdm:
		return madHeader
	case c.IsVendor2():
		return vendorHeader
	}
	return deviceHeader
}

// join takes a segment of a long message. It returns the message when this was
// its last one, and what to answer the sender, if anything. The device's lock is
// held.
func (a *agent) join(p *mad.Packet, key messageKey) (whole []byte, answer *mad.Packet) {
	h := p.RMPP()
	m := a.messages[key]
	switch {
	case h.Version != mad.RMPPVersion:
		return nil, a.giveUp(p, key, mad.RMPPUnsupportedVersion)
	case (h.Data1 == 1) != (h.Flags&mad.RMPPFirst != 0):
		return nil, a.giveUp(p, key, mad.RMPPInconsistentFirst)
	case m == nil && h.Data1 != 1:
		return nil, nil
	case m == nil:
		if len(a.messages) >= maxMessages {
			return nil, a.giveUp(p, key, mad.RMPPResourcesExhausted)
		}
		m = &message{window: 1}
		m.expires = time.AfterFunc(rmppTimeout, func() { a.expireMessage(key, m) })
		a.messages[key] = m
	}
	if h.Data1 == m.last+1 && h.Data1 <= m.window {
		if !m.add(p, h) {
			return nil, a.giveUp(p, key, mad.RMPPResourcesExhausted)
		}
	} else if h.Data1 > m.last {
		return nil, nil // out of order: the sender will send again
	}
	isLast := h.Flags&mad.RMPPLast != 0 && h.Data1 == m.last
	if !isLast && m.last < m.window && h.Data1 == m.last {
		return nil, nil
	}
	if m.last == m.window {
		m.window += rmppWindow
	}
	answer = a.acknowledge(p, m)
	if isLast {
		a.forget(key)
		return m.bytes, answer
	}
	return nil, answer
}

// add joins a segment that is in order.
func (m *message) add(p *mad.Packet, h mad.RMPPHeader) bool {
	data := p[headerOf(p.Class()):]
	if m.last == 0 {
		data = p[:]
	}
	if h.Flags&mad.RMPPLast != 0 {
		// The kernel takes a length that cannot be for the longest.
		if unused := segmentBytes - int64(h.Data2); unused > 0 && unused <= int64(len(p)-headerOf(p.Class())) {
			data = data[:int64(len(data))-unused]
		}
	}
	if len(m.bytes)+len(data) > maxMessage {
		return false
	}
	m.bytes = append(m.bytes, data...)
	m.last = h.Data1
	return true
}

// acknowledge is the ACK of what has come.
func (a *agent) acknowledge(p *mad.Packet, m *message) *mad.Packet {
	return control(p, mad.RMPPHeader{Type: mad.RMPPAck, Data1: m.last, Data2: m.window})
}

// giveUp is an ABORT, and the end of the message.
func (a *agent) giveUp(p *mad.Packet, key messageKey, status mad.RMPPStatus) *mad.Packet {
	a.forget(key)
	return control(p, mad.RMPPHeader{Type: mad.RMPPAbort, Status: status})
}

// control makes a packet for the sender of p: its header, with the response bit
// turned round.
func control(p *mad.Packet, h mad.RMPPHeader) *mad.Packet {
	var c mad.Packet
	copy(c[:madHeader], p[:madHeader])
	c.SetMethod(p.Method() ^ mad.ResponseBit)
	h.Version, h.Flags = mad.RMPPVersion, mad.RMPPActive
	c.SetRMPP(h)
	return &c
}

func (a *agent) forget(key messageKey) {
	if m := a.messages[key]; m != nil {
		m.expires.Stop()
		delete(a.messages, key)
	}
}

// expireMessage forgets a message that does not come to an end.
func (a *agent) expireMessage(key messageKey, m *message) {
	d := a.file.device
	d.mu.Lock()
	defer d.mu.Unlock()
	if a.messages[key] == m {
		delete(a.messages, key)
	}
}

// isLong reports whether p belongs to a message that the kernel joins, or takes
// apart, for a.
func (a *agent) isLong(p *mad.Packet) bool {
	return a.isRMPP && hasRMPP(p.Class()) && p[offRMPPFlags]&rmppActive != 0
}

// isOwnLong reports whether p belongs to a message that the client of a joins, or
// takes apart, itself. Its packets reach the client also when no request waits for
// them any more (ib_mad_complete_recv).
func (a *agent) isOwnLong(p *mad.Packet) bool {
	return !a.isRMPP && hasRMPP(p.Class()) && p[offRMPPFlags]&rmppActive != 0
}

// deliverLong takes a packet of RMPP for a. The lock is held, and released.
func (d *Device) deliverLong(a *agent, p *mad.Packet, from *mad.Addr) {
	var answer *mad.Packet
	var goOn, woken bool
	sent := a.requests[keyOfSent(p, from.LID)]
	switch p.RMPP().Type {
	case mad.RMPPAck:
		if sent != nil && sent.long != nil {
			answer, goOn = sent.acknowledged(p)
		}
	case mad.RMPPStop, mad.RMPPAbort:
		a.forget(messageKey{p.TID(), p.Class(), p.Method(), from.LID})
		if sent != nil && sent.long != nil {
			sent.refused()
		}
	case mad.RMPPData:
		var whole []byte
		whole, answer = a.join(p, messageKey{p.TID(), p.Class(), p.Method(), from.LID})
		woken = whole != nil && (!p.IsResponse() || a.answered(p))
		if woken {
			a.file.queue(a.header(from, whole))
		}
	}
	d.mu.Unlock()
	if answer != nil {
		d.sending.Lock()
		_ = d.wire.Send(answer, *from, 0) // what the wire refuses is lost like any other
		d.sending.Unlock()
	}
	if goOn {
		d.transmit(sent)
	}
	if woken {
		a.file.wake()
	}
}

// header puts the header before a message.
func (a *agent) header(from *mad.Addr, whole []byte) []byte {
	size := a.file.header
	b := make([]byte, size, size+len(whole))
	putReply(b, a, from)
	binary.NativeEndian.PutUint32(b[offLength:], uint32(size+len(whole)))
	return append(b, whole...)
}
