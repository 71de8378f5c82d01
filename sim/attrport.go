package sim

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// offPortInfoLocalPort is the byte of PortInfo that names the arrival port.
const offPortInfoLocalPort = 28

// Vendors whose devices answer Mellanox ExtendedPortInfo.
const (
	vendorMellanox = 0x0002c9
	vendorBull     = 0x00119f
)

// Forward error correction modes of PortInfoExtended.FECModeActive.
const (
	fecFirecode = 1
	fecRS       = 2
)

// asked is the port that a per-port attribute asks about: number 0 on a CA or
// router is the port that the request came in by. False beyond the last port.
func (q *query) asked(num uint32) (port int, ok bool) {
	if int64(num) >= int64(len(q.node.ports)) {
		return 0, false
	}
	if num == 0 && !q.isSwitch() {
		return int(q.in), true
	}
	return int(num), true
}

// holderOf is the port that has the LID and the capability masks of port num.
func (q *query) holderOf(num int) int {
	if q.isSwitch() {
		return 0
	}
	return num
}

func (q *query) portInfo() mad.Status {
	num, ok := q.asked(q.modifier &^ smp.ExtendedSpeedModifier)
	if !ok {
		return mad.StatusInvalidValue
	}
	p := &q.node.ports[num]
	raw := p.raw()
	if raw != nil {
		*q.data = *raw
	}
	if p.info.Load() == nil && (raw == nil || !isComplete(raw)) {
		info := q.completePortInfo(num)
		info.Encode(q.data)
	}
	q.data[offPortInfoLocalPort] = q.in
	return mad.StatusOK
}

// extendedPortInfo answers zeros (no FDR10) for ports that the fabric was not
// told of, as Mellanox devices do that cannot run it.
func (q *query) extendedPortInfo() mad.Status {
	num, ok := q.asked(q.modifier)
	if !ok {
		return mad.StatusInvalidValue
	}
	if q.stored(attrExtendedPortInfo, uint32(num)) {
		return mad.StatusOK
	}
	if p := q.node.model.Port(num); p != nil && p.ExtendedInfoBytes() != nil {
		*q.data = *p.ExtendedInfoBytes()
		return mad.StatusOK
	}
	if v := q.node.model.Info().VendorID; v != vendorMellanox && v != vendorBull {
		return mad.StatusUnsupportedAttr
	}
	return mad.StatusOK
}

// portInfoExtended tells the error correction in use, on nodes that say that
// they have the attribute.
func (q *query) portInfoExtended() mad.Status {
	num, ok := q.asked(q.modifier)
	if !ok {
		return mad.StatusInvalidValue
	}
	holder := q.completePortInfo(q.holderOf(num))
	if holder.CapMask&smp.CapCapMask2 == 0 || holder.CapMask2&smp.Cap2PortInfoExtended == 0 {
		return mad.StatusUnsupportedAttr
	}
	be.PutUint32(q.data[:], 1) // FECModeSupported
	if q.stored(attrPortInfoExtended, uint32(num)) {
		return mad.StatusOK
	}
	if p := &q.node.ports[num]; p.isUp() {
		v := q.completePortInfo(num)
		switch rank := activeSpeed(&v).Rank(); {
		case rank >= ib.SpeedEDR.Rank():
			be.PutUint16(q.data[4:], fecRS)
		case rank == ib.SpeedFDR.Rank():
			be.PutUint16(q.data[4:], fecFirecode)
		}
	}
	for i := 6; i < 22; i += 2 { // supported and enabled, of FDR to NDR
		be.PutUint16(q.data[i:], 1<<0|1<<fecFirecode|1<<fecRS)
	}
	return mad.StatusOK
}

// activeSpeed is the speed of the link, FDR10 not told apart from QDR.
func activeSpeed(v *smp.PortInfo) ib.LinkSpeed {
	return ib.SpeedFrom(v.LinkSpeedActive, v.LinkSpeedExtActive, v.LinkSpeedExtActive2).Max()
}
