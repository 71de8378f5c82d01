package ping

import (
	"slices"

	"github.com/ibscope/ibscope/mad"
)

// maxTransfers bounds the long replies under way; the oldest ends for a new one.
const maxTransfers = 64

// maxAtOnce bounds the packets that go out because of one that came: as many as
// the Linux kernel sends without an acknowledgement.
const maxAtOnce = 64

// transfers are the long replies of a server: the sending side of RMPP (IBA vol.
// 1, 13.6.6). Nothing is sent again without being asked for: who misses a packet
// says so, or repeats the request.
type transfers struct{ list []*transfer }

// transfer is a long reply.
type transfer struct {
	to     mad.Addr
	header mad.Packet // of all its packets
	data   []byte
	sent   uint32 // number of the last packet sent
}

// packetData is how much data a packet has.
func (t *transfer) packetData() int { return len(t.header.Data()) }

// count is of how many packets the reply is.
func (t *transfer) count() uint32 {
	return uint32((len(t.data) + t.packetData() - 1) / t.packetData())
}

// isTo reports whether p belongs to the conversation.
func (t *transfer) isTo(p *mad.Packet, from mad.Addr) bool {
	return t.to.LID == from.LID && t.header.TID() == p.TID() && t.header.AttrID() == p.AttrID()
}

// start begins a long reply, and gives its first packet: the window is one until
// the other side opens it.
func (l *transfers) start(reply *mad.Packet, data []byte, to mad.Addr) []mad.Packet {
	l.end(reply, to)
	if len(l.list) >= maxTransfers {
		l.list = slices.Delete(l.list, 0, 1)
	}
	t := &transfer{to: to, header: *reply, data: data}
	l.list = append(l.list, t)
	return t.upTo(1)
}

// heard takes an ACK, STOP or ABORT, and gives what goes out for it.
func (l *transfers) heard(p *mad.Packet, from mad.Addr) []mad.Packet {
	i := slices.IndexFunc(l.list, func(t *transfer) bool { return t.isTo(p, from) })
	if i < 0 {
		return nil
	}
	t, h := l.list[i], p.RMPP()
	if h.Type != mad.RMPPAck || h.Data1 >= t.count() {
		l.list = slices.Delete(l.list, i, i+1)
		return nil
	}
	t.sent = min(t.sent, h.Data1) // what came after is missing there, or comes twice
	return t.upTo(h.Data2)
}

// end forgets a conversation.
func (l *transfers) end(p *mad.Packet, from mad.Addr) {
	l.list = slices.DeleteFunc(l.list, func(t *transfer) bool { return t.isTo(p, from) })
}

// upTo gives the packets up to a number.
func (t *transfer) upTo(last uint32) []mad.Packet {
	last = min(last, t.count(), t.sent+maxAtOnce)
	var list []mad.Packet
	for t.sent < last {
		t.sent++
		list = append(list, t.packet(t.sent))
	}
	return list
}

// packet makes a packet. The lengths count what the class has between the header
// of RMPP and the data too.
func (t *transfer) packet(n uint32) mad.Packet {
	p := t.header
	size := t.packetData()
	between := mad.RMPPSegment - size
	rest := t.data[int(n-1)*size:]
	h := mad.RMPPHeader{
		Version: mad.RMPPVersion, Type: mad.RMPPData, Flags: mad.RMPPActive, RespTime: mad.RMPPNoRespTime, Data1: n,
	}
	if n == 1 {
		h.Flags |= mad.RMPPFirst
		h.Data2 = uint32(len(t.data) + int(t.count())*between)
	}
	if n == t.count() {
		h.Flags |= mad.RMPPLast
		h.Data2 = uint32(len(rest) + between)
	}
	data := p.Data()
	clear(data)
	copy(data, rest)
	p.SetRMPP(h)
	return p
}
