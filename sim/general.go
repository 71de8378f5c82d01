package sim

import (
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// generalExchange carries out a request of general services: LID routed to the
// agent of its class, and the reply back. What no agent answers goes to a Port
// that is open there.
func (t *trip) generalExchange(m *mad.Packet, p *Port, to mad.Addr, d *delivery) bool {
	t.isData = true
	d.from, d.sender = to, p.at.lid()
	d.from.LID = d.sender
	t.sender, t.target = d.sender, to.LID
	if !t.startData(p, to) || !t.routeTo(to.LID) || !t.opens(m, to, d) {
		return false
	}
	if a := t.sim.agents.get(m.Class()); a != nil {
		if t.ignores(m.AttrID()) || !t.takesGMP() {
			return false
		}
		switch method := m.Method(); a.Answer(t.request(p, to), m) {
		case Answered:
			if m.Method() == method {
				m.SetMethod(mad.MethodGetResp)
			}
			d.from = to
			return t.sim.faults.strike(t, m, d) && t.routesBackTo(p, d.sender)
		case Silent:
			return false
		}
	}
	t.forward(m, d, false)
	return false
}

// startData is what the sending port does with a packet of general services: it
// must have a LID and be active, and puts its P_Key in.
func (t *trip) startData(p *Port, to mad.Addr) bool {
	if p.at.lid() == 0 || !p.at.has(quickActive) {
		return false
	}
	t.pkey = fullMemberDefault
	if p.at.node.tables.Load() == nil {
		return to.PKeyIndex == 0
	}
	t.pkey = p.sim.pkeyOf(p.at, to.PKeyIndex)
	t.hasPKey = true
	return t.pkey&^fullMember != 0
}

// fullMember is the bit of a P_Key; the others are the partition.
const fullMember = 0x8000

// pkeyOf is an entry of a port's P_Key table, 0 beyond its end.
func (s *Fabric) pkeyOf(p *port, index uint16) uint16 {
	block := uint32(index / pkeysPerBlock)
	if b := p.node.block(attrPKeyTable, uint32(p.num)<<16|block); b != nil {
		return be.Uint16(b[index%pkeysPerBlock*2:])
	}
	if index == 0 {
		return fullMemberDefault
	}
	return 0
}

// inPartition reports whether a port shares the packet's partition: at least
// one of the two must be a full member.
func (t *trip) inPartition(p *port) bool {
	if p.node.tables.Load() == nil {
		return t.pkey&^fullMember == fullMemberDefault&^fullMember
	}
	q := query{sim: t.sim, node: p.node, in: p.num}
	size := q.partitionCap(int(p.num))
	for i := range size {
		key := t.sim.pkeyOf(p, i)
		if key&^fullMember == t.pkey&^fullMember && (key|t.pkey)&fullMember != 0 {
			return true
		}
	}
	return false
}

// refuse ends a packet that the port of a switch keeps out of a partition.
func (t *trip) refuse(at *port) bool {
	t.discard(at, DiscardPKey)
	if v := t.sim.portInfo(at.node.keeper(0)); v.CapMask&smp.CapPKeySwitchPortTrap != 0 {
		t.sim.notifyKey(at, smp.TrapBadPKeySwitchPort, uint32(t.pkey), mad.Addr{LID: t.sender}, mad.Addr{LID: t.target})
	}
	return false
}

// opens checks the keys where the packet has arrived. Q_Key 0 counts as the
// well-known one: not every transport tells it.
func (t *trip) opens(m *mad.Packet, to mad.Addr, d *delivery) bool {
	at := t.arrived()
	if to.QKey != 0 && to.QKey != mad.WellKnownQK {
		t.sim.countKey(t.keeper(), func(v *smp.PortInfo) *uint16 { return &v.QKeyViolations })
		t.sim.notifyKey(at, smp.TrapBadQKey, to.QKey, d.from, to)
		return false
	}
	if !t.hasPKey && at.node.tables.Load() == nil || t.inPartition(t.keeper()) {
		return true
	}
	t.discard(at, DiscardPKey)
	t.sim.countKey(t.keeper(), func(v *smp.PortInfo) *uint16 { return &v.PKeyViolations })
	t.sim.notifyKey(at, smp.TrapBadPKey, uint32(t.pkey), d.from, to)
	return false
}

// countKey counts a violation in PortInfo.
func (s *Fabric) countKey(p *port, counter func(*smp.PortInfo) *uint16) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.portInfo(p)
	if n := counter(&v); *n < 0xffff {
		*n++
	}
	s.publish(p, &v)
}
