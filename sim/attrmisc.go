package sim

import (
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// States of SMInfo (IBA vol. 1, 14.4.1).
const (
	smStandby = 2
	smMaster  = 3
)

// offCapMask is where PortInfo has the capability mask.
const offCapMask = 20

// hasSM reports whether a subnet manager runs at the port that t arrived by:
// the port says so. Elsewhere nobody answers SMInfo.
func (t *trip) hasSM() bool {
	if m := t.sim.manager.get(); m != nil {
		if _, ok := m.SMInfo(t.keeper().place()); ok {
			return true
		}
	}
	raw := t.keeper().raw()
	return raw != nil && be.Uint32(raw[offCapMask:])&smp.CapIsSM != 0
}

// smInfo: the subnet manager whose LID the ports know is the master.
func (q *query) smInfo() mad.Status {
	if m := q.sim.manager.get(); m != nil {
		if v, ok := m.SMInfo(q.node.keeper(int(q.in)).place()); ok {
			v.Encode(q.data)
			return mad.StatusOK
		}
	}
	info := q.completePortInfo(q.holderOf(int(q.in)))
	state := byte(smStandby)
	if info.SMLID != 0 && info.SMLID == info.LID {
		state = smMaster
	}
	be.PutUint64(q.data[:], uint64(q.node.portGUID(int(q.in))))
	be.PutUint32(q.data[16:], 1) // activity count
	q.data[20] = state
	return mad.StatusOK
}

// vendorDiag: no diagnostics beyond the first block, which says that.
func (q *query) vendorDiag() mad.Status {
	if q.modifier != 0 {
		return mad.StatusInvalidValue
	}
	return mad.StatusOK
}

// ledInfo: the locating light, where there is one, is off until it is set.
func (q *query) ledInfo() mad.Status {
	num, ok := q.asked(q.modifier)
	if !ok {
		return mad.StatusInvalidValue
	}
	info := q.completePortInfo(q.holderOf(num))
	if info.CapMask&smp.CapLEDInfo == 0 {
		return mad.StatusUnsupportedAttr
	}
	q.stored(attrLEDInfo, uint32(num))
	return mad.StatusOK
}
