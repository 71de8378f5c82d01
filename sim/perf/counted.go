package perf

import (
	"sync/atomic"

	"github.com/ibscope/ibscope/sim"
)

// counted is what the monitor sees at a port. It fills a cache line, so that
// ports do not disturb one another.
type counted struct {
	xmit, rcv  atomic.Uint64 // packets
	noRoute    atomic.Uint64
	inactive   atomic.Uint64
	constraint atomic.Uint64
	downed     atomic.Uint64
	vl15, qp1  atomic.Uint64
}

// wordsPerMAD is the length of a MAD on the wire: LRH 8, BTH 12, DETH 8, the
// MAD 256 and ICRC 4 bytes.
const wordsPerMAD = 72

// port is the place of a port in the arrays; false when there is none.
func (c *Counters) port(at sim.Place) (int, bool) {
	i := at.Node.Index()
	if i >= len(c.first) || at.Port < 0 || at.Port > at.Node.NumPorts() {
		return 0, false
	}
	return int(c.first[i]) + at.Port, true
}

// Crossed implements sim.Monitor.
func (c *Counters) Crossed(out, in sim.Place) {
	if p, ok := c.port(out); ok {
		c.counted[p].xmit.Add(1)
	}
	if p, ok := c.port(in); ok {
		c.counted[p].rcv.Add(1)
	}
}

// Discarded implements sim.Monitor.
func (c *Counters) Discarded(at sim.Place, why sim.Discard) {
	p, ok := c.port(at)
	if !ok {
		return
	}
	switch n := &c.counted[p]; why {
	case sim.DiscardNoRoute:
		n.noRoute.Add(1)
	case sim.DiscardInactive:
		n.inactive.Add(1)
	case sim.DiscardPKey:
		n.constraint.Add(1)
	case sim.DiscardVL15:
		n.vl15.Add(1)
	case sim.DiscardQP1:
		n.qp1.Add(1)
	}
}

// LinkDowned implements sim.Monitor.
func (c *Counters) LinkDowned(at sim.Place) {
	if p, ok := c.port(at); ok {
		c.counted[p].downed.Add(1)
		c.pause(at, p)
	}
}
