package gen

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// build makes the fabric of a plan. LIDs go to switches first, then to hosts,
// as far as there are unicast LIDs; ports that get none stay in Initialize, as
// in a subnet that its manager cannot bring up fully.
func (p *plan) build() *fabric.Fabric {
	b := fabric.NewBuilder()
	lids, top := p.assignLIDs()
	nodes := make([]*fabric.Node, len(p.nodes))
	for _, v := range p.sweepOrder() {
		nodes[v.node] = p.addNode(b, v, top)
	}
	w := portWriter{p, b, lids}
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

func (p *plan) assignLIDs() (lids []ib.LID, top ib.LID) {
	lids = make([]ib.LID, len(p.nodes))
	for _, t := range [...]ib.NodeType{ib.NodeSwitch, ib.NodeCA} {
		for i := range p.nodes {
			if p.nodes[i].typ == t && top < ib.MaxUnicastLID {
				top++
				lids[i] = top
			}
		}
	}
	return lids, top
}

// guid is the GUID of the node; its image and its ports have the same.
func (p *plan) guid(i int) ib.GUID {
	if p.nodes[i].typ == ib.NodeSwitch {
		return switchGUIDs + ib.GUID(i+1)*0x20
	}
	return adapterGUIDs + ib.GUID(i+1)*4
}

func (p *plan) addNode(b *fabric.Builder, v visit, top ib.LID) *fabric.Node {
	plan, guid := &p.nodes[v.node], p.guid(v.node)
	info := smp.NodeInfo{
		BaseVersion: 1, ClassVersion: 1, NodeType: plan.typ, NumPorts: uint8(len(plan.ports) - 1),
		SystemImageGUID: guid, NodeGUID: guid, PortGUID: guid,
		PartitionCap: 128, DeviceID: p.gen.adapterDevice, LocalPort: v.arrival, VendorID: vendorMellanox,
	}
	if plan.typ == ib.NodeSwitch {
		info.PartitionCap, info.DeviceID, info.Revision = 8, p.gen.switchDevice, 0xa0
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
