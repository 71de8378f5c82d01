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
	builder  *fabric.Builder
	managers map[uint8]int // by subnet: the node where its manager runs
}

func newPortWriter(p *plan, b *fabric.Builder) *portWriter {
	w := &portWriter{p, b, map[uint8]int{}}
	for i := range p.nodes {
		n := &p.nodes[i]
		if _, ok := w.managers[n.subnet]; !ok && n.isAdapter() {
			w.managers[n.subnet] = i
		}
	}
	return w
}

func (w *portWriter) addPorts(n *fabric.Node, i int) {
	plan := &w.nodes[i]
	first := 1
	if plan.typ == ib.NodeSwitch {
		first = 0
	}
	for num := first; num < len(plan.ports); num++ {
		v := w.portInfo(plan, i, num)
		var raw [mad.DataSize]byte
		v.Encode(&raw)
		port := w.builder.Port(n, num)
		w.builder.SetPortGUID(port, w.portGUID(i, num))
		w.builder.SetPortInfo(port, &raw)
		if w.gen.speed == ib.SpeedFDR10 && plan.ports[num].peer >= 0 {
			w.builder.SetExtendedPortInfo(port, &fdr10)
		}
	}
}

// portInfo is the PortInfo of port num as a sweep gets it.
func (w *portWriter) portInfo(n *planNode, i, num int) smp.PortInfo {
	v := w.common(n, num)
	v.LocalPort = uint8(num)
	w.setState(&v, n, num)
	switch {
	case n.typ == ib.NodeCA:
		v.CapMask, v.CapMask2, v.GUIDCap = adapterCaps, w.gen.capMask2, 128
		if n.isAdapter() && w.vfs > 0 {
			v.CapMask2 |= smp.Cap2Virtualization
			v.GUIDCap = uint8(w.vfs + 1)
		}
		if n.gsiOf != 0 {
			v.CapMask |= smp.CapSMDisabled
		}
		w.setOwner(&v, n, i, num)
	case n.typ == ib.NodeRouter:
		v.CapMask, v.CapMask2, v.GUIDCap = adapterCaps, w.gen.capMask2, 128
		w.setOwner(&v, n, i, num)
	case num == 0:
		v.CapMask, v.CapMask2, v.GUIDCap = switchCaps, w.gen.capMask2, 1
		w.setOwner(&v, n, i, num)
	default:
		v.VLStallCount, v.HOQLife = 7, 16
	}
	return v
}

// common is what all ports of the fabric have alike, but for the width.
func (w *portWriter) common(n *planNode, num int) smp.PortInfo {
	base, ext, ext2 := w.gen.supported()
	widths := w.widths(n, num)
	return smp.PortInfo{
		LinkWidthEnabled: widths, LinkWidthSupported: widths,
		LinkSpeedSupported: base, LinkSpeedEnabled: base,
		LinkSpeedExtSupported: ext, LinkSpeedExtEnabled: ext,
		LinkSpeedExtSupported2: ext2, LinkSpeedExtEnabled2: ext2,
		LinkDownDefault: ib.PhysPolling, MTUCap: ib.MTU4096, NeighborMTU: ib.MTU4096,
		VLCap: 4, VLArbHighCap: 8, VLArbLowCap: 8, LocalPhyErrors: 8, OverrunErrors: 8,
	}
}

// widths is what a port supports: one lane and those of its cable; adapters on
// a split cable could use more.
func (w *portWriter) widths(n *planNode, num int) ib.LinkWidth {
	widths := ib.Width1x | w.linkWidth(n, num)
	if widths != ib.Width1x && w.gen.speed.Rank() >= ib.SpeedHDR.Rank() {
		widths |= ib.Width2x
	}
	if widths&ib.Width2x != 0 && n.typ == ib.NodeCA {
		widths |= ib.Width4x
	}
	return widths
}

// linkWidth is the width that a port's link runs at.
func (w *portWriter) linkWidth(n *planNode, num int) ib.LinkWidth {
	if v := n.ports[num].width; v != 0 {
		return v
	}
	return w.width
}

// setState writes what depends on the port's cable. Both ends of a link are in
// one state: that of the end that is behind.
func (w *portWriter) setState(v *smp.PortInfo, n *planNode, num int) {
	to := n.ports[num]
	isPort0 := n.typ == ib.NodeSwitch && num == 0
	v.LinkWidthActive = w.linkWidth(n, num)
	if to.peer < 0 && !isPort0 && n.gsiOf == 0 {
		v.State, v.PhysState = ib.PortDown, ib.PhysPolling
		v.LinkSpeedActive = ib.SpeedSDR.Base()
		return
	}
	v.State, v.PhysState = ib.PortActive, ib.PhysLinkUp
	if !isPort0 && (n.lid == 0 || to.peer >= 0 && w.nodes[to.peer].lid == 0) {
		v.State = ib.PortInitialize
	}
	v.OperationalVLs = v.VLCap
	v.LinkSpeedExtActive, v.LinkSpeedExtActive2 = w.gen.speed.Ext(), w.gen.speed.Ext2()
	v.LinkSpeedActive = w.gen.speed.Base()
	fill(&v.LinkSpeedActive, ib.SpeedQDR.Base()) // what all faster ones say beside their own field
}

// subnetPrefix is the GID prefix of the first subnet; the others follow.
const subnetPrefix = 0xfe80000000000000

// setOwner writes what only ports with a LID have. The first adapter of a
// subnet runs its manager.
func (w *portWriter) setOwner(v *smp.PortInfo, n *planNode, i, num int) {
	subnet := n.portSubnet(num)
	v.LID = n.portLID(num)
	v.GIDPrefix, v.SubnetTimeout, v.RespTimeValue = subnetPrefix+uint64(subnet), 18, 16
	manager, ok := w.managers[subnet]
	if !ok {
		return
	}
	v.SMLID = w.nodes[manager].lid
	if i == manager {
		v.CapMask |= smp.CapIsSM
	}
}
