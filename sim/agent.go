package sim

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// Attributes of subnet management (IBA vol. 1, table 193), and of Mellanox.
const (
	attrNodeDescription  mad.AttrID = 0x0010
	attrNodeInfo         mad.AttrID = 0x0011
	attrSwitchInfo       mad.AttrID = 0x0012
	attrGUIDInfo         mad.AttrID = 0x0014
	attrPortInfo         mad.AttrID = 0x0015
	attrPKeyTable        mad.AttrID = 0x0016
	attrSLtoVL           mad.AttrID = 0x0017
	attrVLArbitration    mad.AttrID = 0x0018
	attrLinearFDB        mad.AttrID = 0x0019
	attrRandomFDB        mad.AttrID = 0x001a
	attrMulticastFDB     mad.AttrID = 0x001b
	attrSMInfo           mad.AttrID = 0x0020
	attrVendorDiag       mad.AttrID = 0x0030
	attrLEDInfo          mad.AttrID = 0x0031
	attrPortInfoExtended mad.AttrID = 0x0033
	attrExtendedPortInfo mad.AttrID = 0xff90
)

// query is a Get that has reached a node's agent.
type query struct {
	sim      *Fabric
	node     *node
	in       uint8 // the port it arrived on
	modifier uint32
	data     *[mad.DataSize]byte // where the attribute goes, zero at first
}

// answer lets the agent of t's node answer m, which becomes the reply. It
// reports false when there is no reply, at least not from the agent.
func (t *trip) answer(m *mad.Packet, d *delivery) bool {
	if m.Method() == mad.MethodTrap || m.AttrID() == attrSMInfo {
		if t.forward(m, d, true) {
			return false
		}
		if m.Method() != mad.MethodGet || !t.hasSM() {
			return false
		}
	}
	if t.ignores(m.AttrID()) || !t.takesSMP() || !t.admits(m, d) {
		return false
	}
	if m.Method() == mad.MethodTrapRepress {
		t.sim.traps.repress(m)
		return false
	}
	m.SetStatus(t.reply(m, d))
	m.SetMethod(mad.MethodGetResp)
	return t.sim.faults.strike(t, m, d)
}

// reply checks the header and carries out a Get or a Set. A request that is
// refused keeps its data.
func (t *trip) reply(m *mad.Packet, d *delivery) mad.Status {
	if m.BaseVersion() != 1 || m.ClassVersion() != m.Class().Version() {
		return mad.StatusBadVersion
	}
	switch m.Method() {
	case mad.MethodGet:
		return t.get(m)
	case mad.MethodSet:
		return t.set(m, d.sender)
	}
	return mad.StatusUnsupportedMethod
}

func (t *trip) get(m *mad.Packet) mad.Status {
	data := t.scratch
	*data = [mad.DataSize]byte{}
	q := query{sim: t.sim, node: t.node, in: t.in, modifier: m.Modifier(), data: data}
	status := q.get(m.AttrID())
	if status != mad.StatusOK {
		return status
	}
	if m.AttrID() == attrPortInfo {
		q.hideMKey(m.MKey())
	}
	*m.SMPData() = *data
	return status
}

func (t *trip) set(m *mad.Packet, sender ib.LID) mad.Status {
	var data [mad.DataSize]byte
	c := command{want: *m.SMPData(), from: sender}
	c.query = query{sim: t.sim, node: t.node, in: t.in, modifier: m.Modifier(), data: &data}
	status := c.run(m.AttrID())
	if status == mad.StatusOK {
		*m.SMPData() = data
	}
	return status
}

// get fills in the attribute.
func (q *query) get(attr mad.AttrID) mad.Status {
	switch attr {
	case attrNodeDescription:
		return q.nodeDescription()
	case attrNodeInfo:
		return q.nodeInfo()
	case attrSwitchInfo:
		return q.switchInfo()
	case attrGUIDInfo:
		return q.guidInfo()
	case attrPortInfo:
		return q.portInfo()
	case attrPKeyTable:
		return q.pkeyTable()
	case attrSLtoVL:
		return q.slToVL()
	case attrVLArbitration:
		return q.vlArbitration()
	case attrLinearFDB:
		return q.linearFDB()
	case attrMulticastFDB:
		return q.multicastFDB()
	case attrRandomFDB:
		return q.randomFDB()
	case attrSMInfo:
		return q.smInfo()
	case attrVendorDiag:
		return q.vendorDiag()
	case attrLEDInfo:
		return q.ledInfo()
	case attrPortInfoExtended:
		return q.portInfoExtended()
	case attrExtendedPortInfo:
		return q.extendedPortInfo()
	}
	return mad.StatusUnsupportedAttr
}
