package fabric

import "github.com/ibscope/ibscope/ib"

// Copy is the same fabric once more, of nodes and ports of its own. Set is called with
// each of its nodes, in canonical order, to set what no sweep tells: firmware, forwarding
// tables. The Builder is good for that only.
func (f *Fabric) Copy(set func(b *Builder, n *Node)) *Fabric {
	c := &copying{nodes: make([]*Node, len(f.nodes)), chassis: map[*Chassis]*Chassis{nil: nil}}
	for i, n := range f.nodes {
		m := *n
		c.nodes[i] = &m
	}
	to := *f
	to.nodes = c.nodes
	for _, box := range f.chassis {
		c.box(box)
	}
	for i, n := range c.nodes {
		n.ports = c.ports(f.nodes[i])
		n.chassis = c.chassis[n.chassis]
	}
	for _, n := range c.nodes { // all ports are there now
		for i := range n.ports {
			n.ports[i].remote = c.port(n.ports[i].remote)
		}
	}
	to.start = c.port(f.start)
	c.indexes(&to, f)
	b := NewBuilder()
	for _, n := range c.nodes {
		set(b, n)
	}
	return &to
}

// copying is a Copy at work.
type copying struct {
	nodes   []*Node // by index
	chassis map[*Chassis]*Chassis
}

func (c *copying) node(n *Node) *Node {
	if n == nil {
		return nil
	}
	return c.nodes[n.index]
}

func (c *copying) port(p *Port) *Port {
	if p == nil {
		return nil
	}
	return &c.node(p.node).ports[p.num]
}

func (c *copying) ports(of *Node) []Port {
	if of.ports == nil {
		return nil
	}
	list := make([]Port, len(of.ports))
	copy(list, of.ports)
	for i := range list {
		list[i].node = c.node(list[i].node)
	}
	return list
}

func (c *copying) box(of *Chassis) {
	list := func(from []*Node) []*Node {
		if from == nil {
			return nil
		}
		to := make([]*Node, len(from))
		for i, n := range from {
			to[i] = c.node(n)
		}
		return to
	}
	c.chassis[of] = &Chassis{Number: of.Number, GUID: of.GUID, Nodes: list(of.Nodes), Spines: list(of.Spines), Lines: list(of.Lines)}
}

// indexes makes the look-up tables.
func (c *copying) indexes(to, from *Fabric) {
	to.byGUID = make(map[ib.GUID]*Node, len(from.byGUID))
	for g, n := range from.byGUID {
		to.byGUID[g] = c.node(n)
	}
	to.byPortGUID = make(map[ib.GUID]*Port, len(from.byPortGUID))
	for g, p := range from.byPortGUID {
		to.byPortGUID[g] = c.port(p)
	}
	to.byLID = make([]*Port, len(from.byLID))
	for i, p := range from.byLID {
		to.byLID[i] = c.port(p)
	}
	to.chassis = nil
	for _, box := range from.chassis {
		to.chassis = append(to.chassis, c.chassis[box])
	}
}
