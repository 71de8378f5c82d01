package metrics

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// star is a switch with an adapter of each name at its ports.
func star(names []string, guid func(i int) ib.GUID, problems ...fabric.Problem) *fabric.Fabric {
	b := fabric.NewBuilder()
	add := func(kind ib.NodeType, g ib.GUID, ports int, name string) *fabric.Node {
		info := smp.NodeInfo{NodeType: kind, NumPorts: uint8(ports), NodeGUID: g, PortGUID: g, SystemImageGUID: g}
		var raw, description [mad.DataSize]byte
		info.Encode(&raw)
		n := b.AddNode(&raw)
		copy(description[:], name)
		b.SetDescription(n, &description)
		return n
	}
	port := func(n *fabric.Node, num int) *fabric.Port {
		p := b.Port(n, num)
		info := smp.PortInfo{State: ib.PortActive, PhysState: ib.PhysLinkUp, LinkWidthActive: ib.Width4x, LinkSpeedActive: 1, LID: ib.LID(num + 1)}
		var raw [mad.DataSize]byte
		info.Encode(&raw)
		b.SetPortInfo(p, &raw)
		return p
	}
	hub := add(ib.NodeSwitch, 0x1000, len(names), names[0])
	for i, name := range names {
		b.Link(port(hub, i+1), port(add(ib.NodeCA, guid(i), 1, name), 1))
	}
	for _, p := range problems {
		b.AddProblem(p)
	}
	return b.Build()
}

// counting gives each node a GUID of its own.
func counting(i int) ib.GUID { return ib.GUID(0x2000 + i) }
