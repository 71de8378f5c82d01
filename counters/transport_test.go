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
}

func (p *port) Send(m *mad.Packet, to mad.Addr, timeout time.Duration) error {
	p.sent.Add(1)
	if p.drop != nil && p.drop(m, to) {
		return nil
	}
	return p.Transport.Send(m, to, timeout)
}
