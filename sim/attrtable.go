package sim

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// Entries of the tables' blocks.
const (
	pkeysPerBlock  = 32
	lidsPerBlock   = 64
	groupsPerBlock = 32
	portsPerMask   = 16
	vlarbPerBlock  = 32
)

// vlarbWeight is the turn of a VL in units of 64 bytes.
const vlarbWeight = 4

// fullMemberDefault is the default P_Key with full membership.
const fullMemberDefault = 0xffff

// pkeyTable: each port has only the default P_Key until others are set. The
// modifier is the port
// (used on switches only) and the block.
func (q *query) pkeyTable() mad.Status {
	port, block := int(q.modifier>>16), q.modifier&0xffff
	if !q.isSwitch() {
		port = 0
	}
	limit := (uint32(q.partitionCap(port)) + pkeysPerBlock - 1) / pkeysPerBlock
	if port >= len(q.node.ports) || block >= limit {
		return mad.StatusInvalidValue
	}
	if !q.isSwitch() {
		port = int(q.in)
	}
	if !q.stored(attrPKeyTable, uint32(port)<<16|block) && block == 0 {
		be.PutUint16(q.data[:], fullMemberDefault)
	}
	return mad.StatusOK
}

// slToVL spreads the 16 SLs over the VLs in use. The modifier is the input and
// the output port (used on switches only).
func (q *query) slToVL() mad.Status {
	in, out := q.modifier>>8&0xff, q.modifier&0xff
	port, ok := q.asked(out)
	if q.isSwitch() && (!ok || int(in) >= len(q.node.ports)) {
		return mad.StatusInvalidValue
	}
	if !q.isSwitch() {
		port = int(q.in)
	}
	if !q.isSwitch() {
		in, out = 0, uint32(q.in)
	}
	if q.stored(attrSLtoVL, in<<8|out) {
		return mad.StatusOK
	}
	vls := q.dataVLs(port)
	for sl := range 8 {
		q.data[sl] = byte(2*sl%vls<<4 | (2*sl+1)%vls)
	}
	return mad.StatusOK
}

// vlArbitration: VL 0 at high priority, the others alike at low priority, as ibsim
// has it. The specification leaves these tables to the device until they are set.
// The modifier is the block (1, 2 low, 3, 4 high) and the port.
func (q *query) vlArbitration() mad.Status {
	block := q.modifier >> 16
	port, ok := q.asked(q.modifier & 0xffff)
	if !ok || block < 1 || block > 4 {
		return mad.StatusInvalidValue
	}
	if q.stored(attrVLArbitration, block<<16|uint32(port)) {
		return mad.StatusOK
	}
	info := q.completePortInfo(port)
	entries, isHigh := info.VLArbLowCap, block == 3
	if isHigh {
		entries = info.VLArbHighCap
	}
	if block != 1 && !isHigh {
		return mad.StatusOK
	}
	hasHigh := info.VLArbHighCap > 0 // else VL 0 would have no turn
	for vl := range min(int(entries), q.dataVLs(port), vlarbPerBlock) {
		q.data[2*vl] = byte(vl)
		if isUrgent := vl == 0 && hasHigh; isHigh == isUrgent {
			q.data[2*vl+1] = vlarbWeight
		}
	}
	return mad.StatusOK
}

// dataVLs is the number of data VLs that a port uses, at least 1.
func (q *query) dataVLs(port int) int {
	info := q.completePortInfo(port)
	return max(info.OperationalVLs.Lanes(), 1)
}

// linearFDB answers from the switch's forwarding table, or the made-up one that
// LID routing uses.
func (q *query) linearFDB() mad.Status {
	if !q.isSwitch() {
		return mad.StatusUnsupportedAttr
	}
	info := q.completeSwitchInfo()
	first := uint64(q.modifier) * lidsPerBlock
	if first > uint64(ib.MaxUnicastLID) || first >= uint64(info.LinearFDBCap) {
		return mad.StatusInvalidValue
	}
	for i := range q.data {
		q.data[i] = q.sim.routes.table(q.node, ib.LID(first)+ib.LID(i))
	}
	return mad.StatusOK
}

// multicastFDB: groups are there once they are set, or if the Manager has them. The modifier is the position of
// 16 ports and the block.
func (q *query) multicastFDB() mad.Status {
	if !q.isSwitch() {
		return mad.StatusUnsupportedAttr
	}
	info := q.completeSwitchInfo()
	position, block := int(q.modifier>>28), q.modifier&0x1ff
	if position*portsPerMask >= len(q.node.ports) || block*groupsPerBlock >= uint32(info.MulticastFDBCap) {
		return mad.StatusInvalidValue
	}
	if m := q.sim.manager.get(); !q.stored(attrMulticastFDB, uint32(position)<<28|block) && m != nil {
		for i := range groupsPerBlock {
			ports := m.Group(q.node.model, ib.MinMulticastLID+ib.LID(block*groupsPerBlock)+ib.LID(i))
			first := position * portsPerMask
			be.PutUint16(q.data[2*i:], uint16(ports[first/64]>>(first%64)))
		}
	}
	return mad.StatusOK
}

// randomFDB: switches with one are extinct; those that claim it have it empty.
func (q *query) randomFDB() mad.Status {
	if info, _ := q.node.model.SwitchInfo(); info.RandomFDBCap == 0 {
		return mad.StatusUnsupportedAttr
	}
	return mad.StatusOK
}
