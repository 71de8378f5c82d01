package gen

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// What ports with a LID of their own can do, beside their speeds.
const (
	adapterCaps = smp.CapTrap | smp.CapSLMapping | smp.CapSystemImageGUID | smp.CapExtendedSpeeds | smp.CapCapMask2 |
		smp.CapCommunicationMgt | smp.CapVendorClass | smp.CapCapMaskNotice | smp.CapClientReregistration |
		smp.CapOtherLocalChanges
	switchCaps = smp.CapTrap | smp.CapSLMapping | smp.CapSystemImageGUID | smp.CapExtendedSpeeds | smp.CapCapMask2 |
		smp.CapVendorClass | smp.CapCapMaskNotice | smp.CapOtherLocalChanges | smp.CapMulticastFDBTop
)

// fdr10 is what Mellanox ExtendedPortInfo says of a port that runs FDR10.
var fdr10 = [mad.DataSize]byte{7: 1, 11: 1, 15: 1}

// portWriter writes the PortInfo of all ports of a plan.
type portWriter struct {
	*plan
	builder *fabric.Builder
	lids    []ib.LID
}

func (w *portWriter) addPorts(n *fabric.Node, i int) {
	first := 1
	if w.nodes[i].typ == ib.NodeSwitch {
		first = 0
	}
	for num := first; num < len(w.nodes[i].ports); num++ {
		v := w.portInfo(i, num)
		var raw [mad.DataSize]byte
		v.Encode(&raw)
		port := w.builder.Port(n, num)
		w.builder.SetPortInfo(port, &raw)
		if w.gen.speed == ib.SpeedFDR10 && w.nodes[i].ports[num].peer >= 0 {
			w.builder.SetExtendedPortInfo(port, &fdr10)
		}
	}
}

// portInfo is the PortInfo of port num as a sweep gets it.
func (w *portWriter) portInfo(i, num int) smp.PortInfo {
	isSwitch := w.nodes[i].typ == ib.NodeSwitch
	v := w.common()
	v.LocalPort = uint8(num)
	w.setState(&v, i, num)
	switch {
	case !isSwitch:
		v.CapMask, v.CapMask2, v.GUIDCap = adapterCaps, w.gen.capMask2, 128
		w.setOwner(&v, i)
	case num == 0:
		v.CapMask, v.CapMask2, v.GUIDCap = switchCaps, w.gen.capMask2, 1
		w.setOwner(&v, i)
	default:
		v.VLStallCount, v.HOQLife = 7, 16
	}
	return v
}

// common is what all ports of the fabric have alike.
func (w *portWriter) common() smp.PortInfo {
	base, ext, ext2 := w.gen.supported()
	widths := ib.Width1x | w.width
	if w.gen.speed.Rank() >= ib.SpeedHDR.Rank() {
		widths |= ib.Width2x
	}
	return smp.PortInfo{
		LinkWidthEnabled: widths, LinkWidthSupported: widths,
		LinkSpeedSupported: base, LinkSpeedEnabled: base,
		LinkSpeedExtSupported: ext, LinkSpeedExtEnabled: ext,
		LinkSpeedExtSupported2: ext2, LinkSpeedExtEnabled2: ext2,
		LinkDownDefault: ib.PhysPolling, MTUCap: ib.MTU4096, NeighborMTU: ib.MTU4096,
		VLCap: 4, VLArbHighCap: 8, VLArbLowCap: 8, LocalPhyErrors: 8, OverrunErrors: 8,
	}
}

// setState writes what depends on the port's cable. Both ends of a link are in
// one state: that of the end that is behind.
func (w *portWriter) setState(v *smp.PortInfo, i, num int) {
	to := w.nodes[i].ports[num]
	isPort0 := w.nodes[i].typ == ib.NodeSwitch && num == 0
	if to.peer < 0 && !isPort0 {
		v.State, v.PhysState = ib.PortDown, ib.PhysPolling
		v.LinkWidthActive, v.LinkSpeedActive = w.width, ib.SpeedSDR.Base()
		return
	}
	v.State, v.PhysState = ib.PortActive, ib.PhysLinkUp
	if !isPort0 && (w.lids[i] == 0 || w.lids[to.peer] == 0) {
		v.State = ib.PortInitialize
	}
	v.LinkWidthActive, v.OperationalVLs = w.width, v.VLCap
	v.LinkSpeedExtActive, v.LinkSpeedExtActive2 = w.gen.speed.Ext(), w.gen.speed.Ext2()
	v.LinkSpeedActive = w.gen.speed.Base()
	fill(&v.LinkSpeedActive, ib.SpeedQDR.Base()) // what all faster ones say beside their own field
}

// setOwner writes what only ports with a LID have. The first host runs the
// subnet manager.
func (w *portWriter) setOwner(v *smp.PortInfo, i int) {
	v.LID = w.lids[i]
	v.GIDPrefix, v.SubnetTimeout, v.RespTimeValue = 0xfe80000000000000, 18, 16
	start := w.start()
	if start < 0 {
		return
	}
	v.SMLID = w.lids[start]
	if i == start {
		v.CapMask |= smp.CapIsSM
	}
}
