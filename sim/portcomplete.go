package sim

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// defaultGIDPrefix is the subnet prefix of a subnet that was given none.
const defaultGIDPrefix = 0xfe80000000000000

// offMTUCap is the byte of PortInfo with MTUCap in its low half.
const offMTUCap = 41

// isComplete reports whether a PortInfo came from a device. One that was put
// together from a text lacks MTUCap, which no device leaves at zero.
func isComplete(raw *[mad.DataSize]byte) bool {
	return raw[offPhysState]>>4 != 0 && raw[offMTUCap]&0xf != 0
}

// completePortInfo is the PortInfo of port num, with the fields filled in that
// the fabric does not know. Fields that are known never change.
func (q *query) completePortInfo(num int) smp.PortInfo {
	if b := q.node.ports[num].info.Load(); b != nil {
		var v smp.PortInfo
		v.Decode(b)
		return v
	}
	return q.modelPortInfo(num)
}

// modelPortInfo is the PortInfo that port num had at first.
func (q *query) modelPortInfo(num int) smp.PortInfo {
	var v smp.PortInfo
	p := q.node.model.Port(num)
	if p != nil {
		v, _ = p.Info()
		if raw := p.InfoBytes(); raw != nil && isComplete(raw) {
			return v
		}
	}
	isOwner := !q.isSwitch() || num == 0
	completeState(&v, p, isOwner && q.isSwitch())
	completeRates(&v, q.sibling(num), v.PhysState == ib.PhysLinkUp)
	completeBuffers(&v, v.PhysState == ib.PhysLinkUp)
	if isOwner {
		q.completeOwner(&v)
	}
	return v
}

// completeState: a port with a cable is up, and Active once its node has a LID;
// port 0 of a switch is always.
func completeState(v *smp.PortInfo, p *fabric.Port, isPort0 bool) {
	state, phys := ib.PortDown, ib.PhysPolling
	switch {
	case isPort0 || isUp(p) && p.LID() != 0:
		state, phys = ib.PortActive, ib.PhysLinkUp
	case isUp(p):
		state, phys = ib.PortInitialize, ib.PhysLinkUp
	}
	fill(&v.State, state)
	fill(&v.PhysState, phys)
	fill(&v.LinkDownDefault, ib.PhysPolling)
}

// sibling is another port of the node that tells what such ports support.
func (q *query) sibling(num int) smp.PortInfo {
	for p := range q.node.model.Ports() {
		if v, ok := p.Info(); ok && p.Num() != num && v.LinkWidthActive != 0 && (p.Num() != 0 || num == 0) {
			return v
		}
	}
	return smp.PortInfo{}
}

// completeRates fills in widths and speeds. A link that is up supports all up
// to what it runs at; a port without a link, what its sibling supports or runs
// at. Where nothing tells, links are 4xSDR.
func completeRates(v *smp.PortInfo, like smp.PortInfo, up bool) {
	if up {
		like = *v
	}
	active, ext, ext2 := like.LinkSpeedActive, like.LinkSpeedExtActive, like.LinkSpeedExtActive2
	widths := like.LinkWidthSupported | like.LinkWidthActive
	fill(&widths, ib.Width4x)
	fill(&v.LinkWidthSupported, widths|ib.Width1x)
	fill(&v.LinkWidthEnabled, v.LinkWidthSupported)
	fill(&v.LinkSpeedSupported, like.LinkSpeedSupported|upTo(active)|1)
	if ext|ext2 != 0 {
		v.LinkSpeedSupported |= 7
	}
	fill(&v.LinkSpeedEnabled, v.LinkSpeedSupported)
	fill(&v.LinkSpeedExtSupported, like.LinkSpeedExtSupported|upTo(ext))
	if ext2 != 0 {
		v.LinkSpeedExtSupported |= 0xf
	}
	fill(&v.LinkSpeedExtEnabled, v.LinkSpeedExtSupported)
	fill(&v.LinkSpeedExtSupported2, like.LinkSpeedExtSupported2|upTo(ext2))
	fill(&v.LinkSpeedExtEnabled2, v.LinkSpeedExtSupported2)
	if v.LinkSpeedExtActive|v.LinkSpeedExtActive2 == 0 {
		fill(&v.LinkSpeedActive, 1)
	}
	fill(&v.LinkWidthActive, v.LinkWidthSupported.Max())
}

// upTo is all the bits of a speed code up to its highest one.
func upTo(code uint8) uint8 {
	code |= code >> 1
	code |= code >> 2
	return code | code>>4
}

func completeBuffers(v *smp.PortInfo, up bool) {
	fill(&v.MTUCap, ib.MTU4096)
	fill(&v.NeighborMTU, v.MTUCap)
	fill(&v.VLCap, 4)
	if up {
		fill(&v.OperationalVLs, v.VLCap)
	}
	fill(&v.VLArbHighCap, 8)
	fill(&v.VLArbLowCap, 8)
	fill(&v.VLStallCount, 7)
	fill(&v.HOQLife, 16)
	fill(&v.LocalPhyErrors, 8)
	fill(&v.OverrunErrors, 8)
}

// completeOwner fills in what only ports with a LID of their own have.
func (q *query) completeOwner(v *smp.PortInfo) {
	fill(&v.GIDPrefix, defaultGIDPrefix)
	fill(&v.SubnetTimeout, 18)
	fill(&v.RespTimeValue, 16)
	guids := uint8(guidsPerBlock)
	if q.isSwitch() {
		guids = 1
	}
	fill(&v.GUIDCap, guids)
	if v.CapMask != 0 {
		return
	}
	v.CapMask = smp.CapTrap | smp.CapSLMapping | smp.CapSystemImageGUID | smp.CapExtendedSpeeds | smp.CapCapMask2
	v.CapMask2 |= smp.Cap2LinkWidth2x | smp.Cap2LinkSpeedHDR | smp.Cap2LinkSpeedNDR
	for p := range q.node.model.Ports() {
		if info, _ := p.Info(); info.LinkSpeedExtActive2|info.LinkSpeedExtSupported2 != 0 {
			v.CapMask2 |= smp.Cap2ExtendedSpeeds2 | smp.Cap2LinkSpeedXDR
		}
	}
}
