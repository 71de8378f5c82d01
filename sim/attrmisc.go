package sim

import (
	"encoding/binary"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// States of SMInfo (IBA vol. 1, 14.4.1).
const (
	smStandby = 2
	smMaster  = 3
)

// hasSM reports whether a subnet manager runs at the port that t arrived by:
// the port says so. Elsewhere nobody answers SMInfo.
func (t *trip) hasSM() bool {
	num := int(t.in)
	if t.atSwitch() {
		num = 0
	}
	if p := t.node.Port(num); p != nil {
		info, ok := p.Info()
		return ok && info.CapMask&smp.CapIsSM != 0
	}
	return false
}

// smInfo: the subnet manager whose LID the ports know is the master.
func (q *query) smInfo() mad.Status {
	info := q.completePortInfo(q.holderOf(int(q.in)))
	state := byte(smStandby)
	if info.SMLID != 0 && info.SMLID == info.LID {
		state = smMaster
	}
	binary.BigEndian.PutUint64(q.data[:], uint64(q.portGUID()))
	binary.BigEndian.PutUint32(q.data[16:], 1) // activity count
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

// ledInfo: the locating light is off, where there is one.
func (q *query) ledInfo() mad.Status {
	num, ok := q.asked(q.modifier)
	if !ok {
		return mad.StatusInvalidValue
	}
	info := q.completePortInfo(q.holderOf(num))
	if info.CapMask&smp.CapLEDInfo == 0 {
		return mad.StatusUnsupportedAttr
	}
	return mad.StatusOK
}
