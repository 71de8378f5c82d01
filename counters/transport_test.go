package counters_test

import (
	"sync/atomic"
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
)

// port counts what is sent, and drops what is to be lost.
type port struct {
	madrpc.Transport
	sent atomic.Int64
	drop func(p *mad.Packet, to mad.Addr) bool

	// alter changes a packet that was received.
	alter func(p *mad.Packet, from mad.Addr)
}

func (p *port) Recv(m *mad.Packet) (mad.Addr, error) {
	from, err := p.Transport.Recv(m)
	if err == nil && p.alter != nil {
		p.alter(m, from)
	}
	return from, err
}

func (p *port) Send(m *mad.Packet, to mad.Addr, timeout time.Duration) error {
	p.sent.Add(1)
	if p.drop != nil && p.drop(m, to) {
		return nil
	}
	return p.Transport.Send(m, to, timeout)
}
