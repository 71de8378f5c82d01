package ibsimnet

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// visit is how the sweep of a client first comes to a node.
type visit struct {
	node    *node
	arrival uint8 // port
}

// build makes the fabric.
func (p *parser) build(name string) *fabric.Fabric {
	p.connect()
	b := fabric.NewBuilder()
	order := p.sweep()
	made := make([]*fabric.Node, len(p.nodes))
	for _, v := range order {
		made[v.node.index] = addNode(b, v)
	}
	for _, v := range order {
		addPorts(b, v, made)
	}
	b.SetStart(made[order[0].node.index].Port(int(order[0].arrival)))
	for _, problem := range p.problems.List() {
		b.AddProblem(problem)
	}
	b.SetSweep(fabric.Sweep{Source: "file:" + name})
	return b.Build()
}

// sweep is the order in which a sweep from the port that ibsim attaches clients
// to meets the nodes: breadth first from the first port of the first node. Nodes
// that it cannot reach come last, in the order of the file.
func (p *parser) sweep() []visit {
	seen := make([]bool, len(p.nodes))
	order := make([]visit, 0, len(p.nodes))
	come := func(n *node, port uint8) {
		if !seen[n.index] {
			seen[n.index] = true
			order = append(order, visit{n, port})
		}
	}
	come(p.nodes[0], firstPort(p.nodes[0]))
	for i := 0; i < len(order); i++ {
		v := order[i]
		for j := range v.node.ports {
			q := v.node.ports[j].peer
			// A sweep goes through switches, and out of its own CA by one port.
			if q == nil || v.node.typ != ib.NodeSwitch && (i > 0 || uint8(j) != v.arrival) {
				continue
			}
			come(q.node, q.num)
		}
	}
	for _, n := range p.nodes {
		come(n, firstPort(n))
	}
	return order
}

func firstPort(n *node) uint8 {
	if n.typ == ib.NodeSwitch {
		return 0
	}
	return 1
}

func addNode(b *fabric.Builder, v visit) *fabric.Node {
	n := v.node
	made := b.AddNode(nodeInfo(n, v.arrival))
	var desc [mad.DataSize]byte
	copy(desc[:], n.desc)
	b.SetDescription(made, &desc)
	if n.typ == ib.NodeSwitch {
		b.SetSwitchInfo(made, switchInfo(n))
	}
	return made
}

func addPorts(b *fabric.Builder, v visit, made []*fabric.Node) {
	n := v.node
	self := made[n.index]
	for i := range n.ports {
		pt := &n.ports[i]
		if i == 0 && n.typ != ib.NodeSwitch {
			continue
		}
		port := b.Port(self, i)
		if n.typ != ib.NodeSwitch {
			b.SetPortGUID(port, n.guid+ib.GUID(i))
		}
		b.SetPortInfo(port, portInfo(pt, v.arrival))
		if pt.active.fdr10 {
			b.SetExtendedPortInfo(port, extendedInfo())
		}
	}
	for i := range n.ports {
		if q := n.ports[i].peer; q != nil && made[q.node.index].Port(int(q.num)) != nil {
			b.Link(self.Port(i), made[q.node.index].Port(int(q.num)))
		}
	}
}
