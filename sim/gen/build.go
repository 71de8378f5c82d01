package gen

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// build makes the fabric of a plan.
func (p *plan) build() *fabric.Fabric {
	b := fabric.NewBuilder()
	top := p.assignLIDs()
	nodes := make([]*fabric.Node, len(p.nodes))
	for _, v := range p.sweepOrder() {
		nodes[v.node] = p.addNode(b, v, top)
	}
	w := newPortWriter(p, b)
	for i, n := range nodes {
		w.addPorts(n, i)
	}
	for i, n := range nodes {
		for num, to := range p.nodes[i].ports {
			if to.peer >= 0 {
				b.Link(b.Port(n, num), b.Port(nodes[to.peer], int(to.port)))
			}
		}
	}
	if start := p.start(); start >= 0 {
		b.SetStart(b.Port(nodes[start], 1))
	}
	return b.Build()
}

// assignLIDs gives LIDs to switches first, then to adapters and the ports of
// routers, as far as there are unicast LIDs; ports that get none stay in
// Initialize, as in a subnet that its manager cannot bring up fully. No two
// subnets have a LID in common, so that a LID means one port in all of them.
func (p *plan) assignLIDs() (top ib.LID) {
	for _, t := range [...]ib.NodeType{ib.NodeSwitch, ib.NodeCA, ib.NodeRouter} {
		for i := range p.nodes {
			n := &p.nodes[i]
			count := ib.LID(n.lids())
			if n.typ == t && n.gsiOf == 0 && top+count <= ib.MaxUnicastLID {
				n.lid = top + 1
				top += count
			}
		}
	}
	for i := range p.nodes {
		if smi := p.nodes[i].gsiOf; smi != 0 {
			p.nodes[i].lid = p.nodes[smi-1].lid
		}
	}
	return top
}

// lids is how many LIDs a node has: a router one for each port.
func (n *planNode) lids() int {
	if n.typ == ib.NodeRouter {
		return len(n.ports) - 1
	}
	return 1
}

// portLID is the LID of a port that has its own.
func (n *planNode) portLID(num int) ib.LID {
	if n.typ == ib.NodeRouter && n.lid != 0 {
		return n.lid + ib.LID(num-1)
	}
	return n.lid
}

// portGUID is the GUID of a port. Switches have one for all, and so have the
// planes of an adapter, with its GSI device.
func (p *plan) portGUID(i, num int) ib.GUID {
	n := &p.nodes[i]
	switch {
	case n.typ == ib.NodeRouter:
		return n.guid + ib.GUID(num)
	case n.gsiOf != 0:
		return p.nodes[n.gsiOf-1].guid
	}
	return n.guid
}

// portSubnet is the subnet that a port belongs to.
func (n *planNode) portSubnet(num int) uint8 {
	if n.typ == ib.NodeRouter {
		return n.subnet + uint8(num-1)
	}
	return n.subnet
}

func (p *plan) addNode(b *fabric.Builder, v visit, top ib.LID) *fabric.Node {
	plan := &p.nodes[v.node]
	info := smp.NodeInfo{
		BaseVersion: 1, ClassVersion: 1, NodeType: plan.typ, NumPorts: uint8(len(plan.ports) - 1),
		SystemImageGUID: plan.image, NodeGUID: plan.guid, PortGUID: p.portGUID(v.node, int(v.arrival)),
		PartitionCap: 128, DeviceID: p.gen.adapterDevice, LocalPort: v.arrival, VendorID: vendorMellanox,
	}
	if plan.typ != ib.NodeCA {
		info.PartitionCap, info.DeviceID, info.Revision = 8, p.gen.switchDevice, 0xa0
	}
	if plan.dev != nil {
		info.VendorID, info.DeviceID = plan.dev.vendor, plan.dev.id
	}
	var raw, desc [mad.DataSize]byte
	info.Encode(&raw)
	n := b.AddNode(&raw)
	copy(desc[:], plan.name)
	b.SetDescription(n, &desc)
	if !v.tooFar {
		b.SetPath(n, v.path)
	}
	if plan.typ == ib.NodeSwitch {
		sw := switchInfo(top)
		b.SetSwitchInfo(n, &sw)
	}
	return n
}

func switchInfo(top ib.LID) [mad.DataSize]byte {
	v := smp.SwitchInfo{
		LinearFDBCap: 49152, MulticastFDBCap: 16384 - 1, LinearFDBTop: uint16(top), DefaultMcastPrimary: 255,
		DefaultMcastOther: 255, LifeTime: 18, PartitionEnforceCap: 32, InboundPartEnforce: true,
		OutboundPartEnforce: true, FilterRawInbound: true, FilterRawOutbound: true, EnhancedPort0: true,
		OptimizedSLtoVL: 1, MulticastFDBTop: 0xbfff,
	}
	var raw [mad.DataSize]byte
	v.Encode(&raw)
	return raw
}
