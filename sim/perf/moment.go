package perf

import (
	"time"

	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/traffic"
)

// Opcodes of packets (IBA vol. 1, 9.2.1) that are told apart.
const (
	opcodeUD    = 0x64 // UD send only: MADs
	opcodeWrite = 0x07 // RC RDMA write middle: traffic
)

// moment is what has happened at a port by a certain time.
type moment struct {
	xmit, rcv, noRoute, inactive, constraint, downed, vl15, qp1 uint64 // counted

	traffic traffic.Totals
	lanes   int
	tick    float64 // in nanoseconds
	opcode  uint8   // what the attribute that is read counts
}

// at takes the moment of a port.
func (c *Counters) at(place sim.Place, p int, since time.Duration, m *moment) {
	n := &c.counted[p]
	m.xmit, m.rcv = n.xmit.Load(), n.rcv.Load()
	m.noRoute, m.inactive = n.noRoute.Load(), n.inactive.Load()
	m.constraint, m.downed, m.vl15 = n.constraint.Load(), n.downed.Load(), n.vl15.Load()
	m.qp1 = n.qp1.Load()
	if t := c.traffic.Load(); t != nil && place.Node.Port(place.Port) != nil {
		c.passed(t, place, p, since, &m.traffic)
		m.tick = tickOf(place.Node, place.Port)
		m.lanes = max(place.Node.Port(place.Port).Active().Width.Lanes(), 1)
	}
}

// total is how much of a quantity there has been.
func (m *moment) total(q quantity) uint64 {
	t := &m.traffic
	switch q.kind() {
	case xmitWords:
		return m.xmit*wordsPerMAD + t.Xmit.Words
	case rcvWords:
		return m.rcv*wordsPerMAD + t.Rcv.Words
	case xmitPkts:
		return m.xmit + t.Xmit.Packets
	case rcvPkts:
		return m.rcv + t.Rcv.Packets
	case xmitUnicast:
		return m.xmit + t.Xmit.Packets - t.Xmit.Multicast
	case rcvUnicast:
		return m.rcv + t.Rcv.Packets - t.Rcv.Multicast
	case xmitMulticast:
		return t.Xmit.Multicast
	case rcvMulticast:
		return t.Rcv.Multicast
	case xmitWait:
		return m.ticks(t.Xmit.Wait)
	}
	if q >= opcodePkts {
		return m.special(q)
	}
	return m.errors(q)
}

// errors are the totals of errors and discards, and of their causes.
func (m *moment) errors(q quantity) uint64 {
	e := &m.traffic.Events
	switch q.kind() {
	case symbolErrors:
		return e[traffic.SymbolErrors]
	case linkRecovery:
		return e[traffic.LinkErrorRecovery]
	case linkDowned:
		return m.downed + e[traffic.LinkDowned]
	case rcvErrors:
		return e[traffic.RcvErrors] + e[traffic.BufferOverruns]
	case localPhysical:
		return e[traffic.RcvErrors]
	case rcvRemotePhys:
		return e[traffic.RcvRemotePhysErrors]
	case rcvRelay, dlidMapping:
		return m.noRoute
	case xmitDiscards:
		return m.inactive + e[traffic.XmitDiscards]
	case inactiveDiscards:
		return m.inactive
	case headOfQueueDiscards:
		return e[traffic.XmitDiscards]
	case rcvConstraint:
		return m.constraint
	case localIntegrity:
		return e[traffic.LocalLinkIntegrity]
	case overruns:
		return e[traffic.BufferOverruns]
	case vl15Dropped:
		return m.vl15 + e[traffic.VL15Dropped]
	case qp1Dropped:
		return m.qp1
	}
	return 0
}

// special are the totals by opcode, lane and level. Traffic is on virtual lane
// and service level 0.
func (m *moment) special(q quantity) uint64 {
	t := &m.traffic
	if q.kind() < syncHeaders && q.element() != 0 {
		return 0
	}
	switch q.kind() {
	case opcodePkts:
		return m.byOpcode(m.rcv, t.Rcv.Packets)
	case opcodeWords:
		return m.byOpcode(m.rcv*wordsPerMAD, t.Rcv.Words)
	case vlOpcodePkts:
		return m.byOpcode(0, t.Rcv.Packets)
	case vlOpcodeWords:
		return m.byOpcode(0, t.Rcv.Words)
	case vlXmitWait:
		return m.ticks(t.Xmit.Wait)
	case vlCongestion:
		return t.Events[traffic.XmitDiscards]
	case rcvFECN, slRcvFECN:
		return t.Rcv.Marked
	case rcvBECN, slRcvBECN:
		return t.Xmit.Marked
	case slXmitWords:
		return m.xmit*wordsPerMAD + t.Xmit.Words
	case slRcvWords:
		return m.rcv*wordsPerMAD + t.Rcv.Words
	}
	return m.correction(q)
}

func (m *moment) byOpcode(mads, traffic uint64) uint64 {
	switch m.opcode {
	case opcodeUD:
		return mads
	case opcodeWrite:
		return traffic
	}
	return 0
}

// correction are the totals of error correction: events take the lanes in turn.
func (m *moment) correction(q quantity) uint64 {
	var n uint64
	switch q.kind() {
	case laneCorrected, blocksCorrected, symbolsCorrected:
		n = m.traffic.Events[traffic.FECCorrected]
	case laneUncorrected, blocksUncorrected:
		n = m.traffic.Events[traffic.FECUncorrected]
	}
	if k := q.kind(); k != laneCorrected && k != laneUncorrected || n == 0 {
		return n
	}
	lane, lanes := uint64(q.element()), uint64(m.lanes)
	if lane >= lanes {
		return 0
	}
	return (n + lanes - 1 - lane) / lanes
}
