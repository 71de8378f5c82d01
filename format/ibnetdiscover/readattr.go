package ibnetdiscover

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// This file makes attributes of what a text tells, so that a fabric from a file
// and one from a sweep look alike to whoever uses them. All other fields are 0.
//
//	NodeInfo      BaseVersion, ClassVersion  1
//	              NodeType, NumPorts         the header; NumPorts grows to the highest port mentioned
//	              SystemImageGUID, DeviceID,
//	              VendorID                   the lines before the header, else 0
//	              NodeGUID                   the id; where it is no GUID switchguid= or its like; else invented
//	              PortGUID                   switches: in parentheses, else the node GUID; others: the port
//	                                         that the sweep started from, else the first port listed
//	              LocalPort                  of CAs and routers: the port of PortGUID
//	SwitchInfo    EnhancedPort0              where the header says base or enhanced; else there is no SwitchInfo
//	PortInfo 0    LID, LMC                   the header, else what the peers tell
//	              State, PhysState           Active where the LID is a unicast LID, else Initialize; LinkUp
//	              CapMask, CapMask2          extended speed bits, if one port of the switch needs them
//	PortInfo      LID, LMC                   of CAs and routers
//	              LocalPort                  of CAs and routers: the port
//	              State, PhysState           linked: as of port 0, LinkUp; not linked (-p): Down, Polling
//	              LinkWidth, LinkSpeed,      Active as told. Supported and Enabled are the least that fits: 1x and
//	              LinkSpeedExt, …Ext2        the active width; the active speed and those below it of its kind
//	              VLCap                      --full
//	              CapMask, CapMask2          as in port 0, of CAs and routers
//	ExtendedPortInfo                         only at FDR10: its three FDR10 bits
//
// A port whose own node has no line for it is told by its peer's line.

// linkState is the logical state of a port that is linked.
func linkState(lid ib.LID) ib.PortState {
	if lid.IsUnicast() {
		return ib.PortActive
	}
	return ib.PortInitialize
}

// portAttr is what the attributes of a port are made of.
type portAttr struct {
	lid   ib.LID
	lmc   uint8
	num   uint8 // LocalPort
	state ib.PortState
	phys  ib.PhysState
	caps  bool // the capability masks are those of this port
	rate  rate
}

func (a *portAttr) info() *[mad.DataSize]byte {
	v := smp.PortInfo{LID: a.lid, LMC: a.lmc, LocalPort: a.num, State: a.state, PhysState: a.phys, VLCap: a.rate.vlCap}
	r := a.rate
	if r.width != 0 {
		v.LinkWidthActive = r.width
		v.LinkWidthSupported = r.width | ib.Width1x
		v.LinkWidthEnabled = v.LinkWidthSupported
	}
	v.LinkSpeedActive = r.base
	v.LinkSpeedSupported = upTo(r.base)
	v.LinkSpeedEnabled = v.LinkSpeedSupported
	v.LinkSpeedExtActive = r.speed.Ext()
	v.LinkSpeedExtSupported = upTo(r.speed.Ext())
	v.LinkSpeedExtActive2 = r.speed.Ext2()
	v.LinkSpeedExtSupported2 = upTo(r.speed.Ext2())
	if r.speed.Ext2() != 0 {
		v.LinkSpeedExtSupported = upTo(ib.SpeedNDR.Ext())
	}
	v.LinkSpeedExtEnabled = v.LinkSpeedExtSupported
	v.LinkSpeedExtEnabled2 = v.LinkSpeedExtSupported2
	if a.caps {
		v.CapMask, v.CapMask2 = capsFor(r.speed)
	}
	var b [mad.DataSize]byte
	v.Encode(&b)
	return &b
}

// upTo is a speed code and all below it.
func upTo(code uint8) uint8 {
	m := code
	for m&(m+1) != 0 {
		m |= m >> 1
	}
	return m
}

// capsFor is the capability masks that make the fields of a speed count.
func capsFor(s ib.LinkSpeed) (uint32, uint16) {
	switch {
	case s.Ext2() != 0:
		return smp.CapExtendedSpeeds | smp.CapCapMask2, smp.Cap2ExtendedSpeeds2 | smp.Cap2LinkSpeedXDR
	case s.Ext() != 0:
		return smp.CapExtendedSpeeds, 0
	}
	return 0, 0
}

// Bytes of Mellanox ExtendedPortInfo whose bit 0 stands for FDR10: supported,
// enabled and active.
var fdr10Bytes = [...]int{7, 11, 15}

// set gives a port its attributes.
func (a *portAttr) set(b *fabric.Builder, p *fabric.Port) {
	b.SetPortInfo(p, a.info())
	if a.rate.speed == ib.SpeedFDR10 {
		var ext [mad.DataSize]byte
		for _, i := range fdr10Bytes {
			ext[i] = 1
		}
		b.SetExtendedPortInfo(p, &ext)
	}
}

// descriptionBytes is a NodeDescription, false when the text is too long for it.
func descriptionBytes(text string) (*[mad.DataSize]byte, bool) {
	var b [mad.DataSize]byte
	n := copy(b[:], text)
	return &b, n == len(text)
}

// port0Info is the PortInfo of port 0 of a switch whose fastest port runs at
// that speed.
func port0Info(lid ib.LID, lmc uint8, fastest ib.LinkSpeed) *[mad.DataSize]byte {
	v := smp.PortInfo{LID: lid, LMC: lmc, State: linkState(lid), PhysState: ib.PhysLinkUp}
	v.CapMask, v.CapMask2 = capsFor(fastest)
	var b [mad.DataSize]byte
	v.Encode(&b)
	return &b
}
