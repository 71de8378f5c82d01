package saclient

import (
	"os"
	"sync"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/sa"
)

// manager is a transport to an administration that loses nothing: answer says
// what it replies to a Get, Set or Delete; a table has n records of size bytes
// that record writes.
type manager struct {
	answer func(p *mad.Packet, to mad.Addr)
	n      int
	size   int
	record func(i int, b []byte)

	in     chan mad.Packet
	closed chan struct{}
	once   sync.Once
	seen   []mad.Packet // requests

	mu      sync.Mutex
	request mad.Packet
	next    uint32
}

const segment = 200

func newManager() *manager {
	return &manager{in: make(chan mad.Packet, 256), closed: make(chan struct{})}
}

func (m *manager) Send(p *mad.Packet, to mad.Addr, _ time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	h := p.RMPP()
	switch {
	case p.IsRMPP() && h.Type == mad.RMPPAck:
		m.send(h.Data2)
	case p.IsRMPP():
		m.next = m.segments() + 1
	default:
		m.seen = append(m.seen, *p)
		r := *p
		r.SetMethod(p.Method() | mad.ResponseBit)
		if p.Method() == mad.MethodSet {
			r.SetMethod(mad.MethodGetResp)
		}
		if m.answer != nil {
			m.answer(&r, to)
		}
		if m.n == 0 || r.Status() != 0 {
			m.in <- r
			return nil
		}
		m.request, m.next = r, 1
		m.send(1)
	}
	return nil
}

func (m *manager) stride() int { return sa.Stride(m.size) }

// length is the bytes of the table; the last record is not padded.
func (m *manager) length() int { return (m.n-1)*m.stride() + m.size }

func (m *manager) segments() uint32 { return uint32((m.length() + segment - 1) / segment) }

// send sends segments up to number last.
func (m *manager) send(last uint32) {
	for ; m.next <= min(last, m.segments()); m.next++ {
		p := m.request
		p.SetAttrOffset(uint16(m.stride() / 8))
		h := mad.RMPPHeader{Version: 1, Type: mad.RMPPData, Flags: mad.RMPPActive, Data1: m.next}
		if m.next == 1 {
			h.Flags |= mad.RMPPFirst
		}
		from := int(m.next-1) * segment
		if m.next == m.segments() {
			h.Flags |= mad.RMPPLast
			h.Data2 = uint32(m.length()-from) + 20
		}
		p.SetRMPP(h)
		m.fill(p.Data(), from)
		m.in <- p
	}
}

// fill writes the part of the table that begins at byte from.
func (m *manager) fill(b []byte, from int) {
	record := make([]byte, m.stride())
	for i := from / m.stride(); i < m.n && i*m.stride() < from+len(b); i++ {
		clear(record)
		m.record(i, record)
		if at := i*m.stride() - from; at >= 0 {
			copy(b[at:], record)
		} else {
			copy(b, record[-at:])
		}
	}
}

func (m *manager) Recv(p *mad.Packet) (mad.Addr, error) {
	select {
	case *p = <-m.in:
		return mad.Addr{LID: 1, QP: 1}, nil
	case <-m.closed:
		return mad.Addr{}, os.ErrClosed
	}
}

func (m *manager) Close() error {
	m.once.Do(func() { close(m.closed) })
	return nil
}

// nodes makes m answer with a table of NodeRecords, LIDs from 1 on.
func (m *manager) nodes(n int) {
	m.n, m.size = n, 108
	m.record = func(i int, b []byte) {
		v := sa.NodeRecord{LID: ib.LID(i%0xbfff + 1)}
		v.Node.PortGUID = ib.GUID(i)
		v.Desc.SetString("node")
		v.Encode((*[108]byte)(b))
	}
}
