package ibsimnet

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// What the agents of ibsim 0.10 answer before anybody has set anything.

// nodeInfo is NodeInfo as the sweep gets it at its first arrival.
func nodeInfo(n *node, arrival uint8) *[mad.DataSize]byte {
	v := smp.NodeInfo{
		BaseVersion: 1, ClassVersion: 1, NodeType: n.typ, NumPorts: uint8(len(n.ports) - 1),
		SystemImageGUID: n.system, NodeGUID: n.guid, PortGUID: n.guid + ib.GUID(arrival), PartitionCap: 64,
		DeviceID: n.device, Revision: 0xa1, LocalPort: arrival, VendorID: n.vendor,
	}
	if n.typ == ib.NodeSwitch {
		v.PortGUID, v.PartitionCap = n.guid, 8
	}
	var b [mad.DataSize]byte
	v.Encode(&b)
	return &b
}

func switchInfo(n *node) *[mad.DataSize]byte {
	v := smp.SwitchInfo{
		LinearFDBCap: 30720, MulticastFDBCap: 1024, PartitionEnforceCap: 64,
		FilterRawInbound: true, FilterRawOutbound: true, EnhancedPort0: n.enhanced,
	}
	for i := range n.ports {
		v.PortStateChange = v.PortStateChange || n.ports[i].peer != nil
	}
	var b [mad.DataSize]byte
	v.Encode(&b)
	return &b
}

// Capability masks; those of switches stand in port 0 only.
const (
	capsAll     = smp.CapTrap | smp.CapSLMapping | smp.CapExtendedSpeeds | smp.CapCapMask2
	capsCA      = capsAll | smp.CapVendorClass
	capsLinked  = capsCA | smp.CapCapMaskNotice
	caps2       = smp.Cap2LinkWidth2x | smp.Cap2LinkSpeedHDR
	leasePeriod = 4089
)

func portInfo(pt *port, arrival uint8) *[mad.DataSize]byte {
	v := smp.PortInfo{
		LID: pt.lid, LMC: pt.lmc, LocalPort: arrival,
		LinkWidthEnabled: pt.width, LinkWidthSupported: 31, LinkWidthActive: ib.Width4x,
		LinkSpeedSupported: 7, LinkSpeedEnabled: pt.speed, LinkSpeedActive: 1,
		State: ib.PortDown, PhysState: ib.PhysPolling, LinkDownDefault: ib.PhysPolling,
		NeighborMTU: ib.MTU2048, MTUCap: ib.MTU2048, VLCap: 4, OperationalVLs: 4,
		VLArbHighCap: 8, VLArbLowCap: 8, VLStallCount: 7,
	}
	isSwitch := pt.node.typ == ib.NodeSwitch
	if !isSwitch && pt.peer != nil {
		v.LocalPort = pt.num // a sweep comes to each linked port of a CA through that port
	}
	switch {
	case isSwitch && pt.num == 0:
		v.State, v.PhysState = ib.PortActive, ib.PhysLinkUp
		v.NeighborMTU, v.MTUCap, v.VLStallCount = ib.MTU256, ib.MTU1024, 0
		v.CapMask, v.CapMask2, v.GUIDCap, v.SubnetTimeout, v.RespTimeValue = capsAll, caps2, 1, 31, 8
		v.MKeyLeasePeriod = leasePeriod
	case !isSwitch:
		v.CapMask, v.CapMask2, v.GUIDCap, v.SubnetTimeout = capsCA, caps2, 32, 31
		v.MKeyLeasePeriod = leasePeriod
	case pt.peer == nil:
		v.LocalPhyErrors = 4
	}
	if pt.peer != nil {
		setLinked(&v, pt)
	}
	addNewSpeeds(&v, pt)
	var b [mad.DataSize]byte
	v.Encode(&b)
	return &b
}

func setLinked(v *smp.PortInfo, pt *port) {
	v.State, v.PhysState = ib.PortInitialize, ib.PhysLinkUp
	v.LinkWidthActive, v.LinkSpeedActive = pt.active.width, pt.active.speed
	if v.CapMask != 0 {
		v.CapMask = capsLinked
	}
	if pt.active.ext == 0 {
		return
	}
	v.LinkSpeedExtSupported, v.LinkSpeedExtEnabled = 7, pt.ext&15
	if pt.ext > 7 {
		v.LinkSpeedExtSupported = 15
	}
	v.LinkSpeedExtActive = pt.active.ext & 15
	if pt.active.ext == xdr {
		v.LinkSpeedExtActive2, v.LinkSpeedExtSupported2, v.LinkSpeedExtEnabled2 = 1, 1, 1
	}
}

// addNewSpeeds adds the capabilities for speeds that ibsim 0.10 does not know.
func addNewSpeeds(v *smp.PortInfo, pt *port) {
	if v.CapMask == 0 {
		return
	}
	fastest := pt.active.ext
	if pt.node.typ == ib.NodeSwitch {
		for i := range pt.node.ports {
			fastest = max(fastest, pt.node.ports[i].active.ext)
		}
	}
	if fastest >= 8 {
		v.CapMask2 |= smp.Cap2LinkSpeedNDR
	}
	if fastest >= xdr {
		v.CapMask2 |= smp.Cap2ExtendedSpeeds2 | smp.Cap2LinkSpeedXDR
	}
}

// extendedInfo is Mellanox ExtendedPortInfo of a port at FDR10.
func extendedInfo() *[mad.DataSize]byte {
	var b [mad.DataSize]byte
	b[7], b[11], b[15] = 1, 1, 1 // LinkSpeed supported, enabled, active
	return &b
}
