package layout

import (
	"cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
)

// draw makes boxes of all cells.
func (p *planner) draw(whole *block) {
	p.l.Frames = append(p.l.Frames, whole.frames...)
	for _, c := range whole.cells {
		p.box(&p.cells[c.cell], c.x, c.y)
	}
}

// box makes the box of a cell, and those of its hosts.
func (p *planner) box(c *cell, x, y float64) {
	s := &p.size
	w, h := s.boxW, s.boxH
	if c.kind != OneNode {
		w, h = podW, podH
	}
	role := c.place.Role
	if c.kind == WholeGroup {
		role = topology.RoleSwitch // it has leaves and spines
	}
	at := p.addBox(Box{
		X: x + (c.w-w)/2, Y: y, W: w, H: h, Kind: c.kind, Nodes: c.nodes, Below: -1,
		Role: role, Tier: c.place.Tier, Part: c.place.Part, Group: c.place.Group,
		Turned: c.kind == OneNode && p.l.Dense,
	})
	if len(c.hosts) == 0 {
		return
	}
	y += h + s.drop
	below := Box{Below: at, Part: c.place.Part, Group: c.place.Group, Role: p.roleOf(c.hosts)}
	if p.l.Collapse != None {
		below.Kind, below.Nodes = SomeHosts, c.hosts
		below.X, below.Y, below.W, below.H = x+(c.w-s.boxW)/2, y, s.boxW, s.countH
		p.addBox(below)
		return
	}
	p.hosts(c, below, x, y)
}

// roleOf is the role that hosts have in common, RoleHost if they have several.
func (p *planner) roleOf(hosts []*fabric.Node) topology.Role {
	role := p.t.Place(hosts[0]).Role
	for _, n := range hosts {
		if p.t.Place(n).Role != role {
			return topology.RoleHost
		}
	}
	return role
}

// hosts makes a box of each host, in columns.
func (p *planner) hosts(c *cell, below Box, x, y float64) {
	s := &p.size
	cols := s.columns(len(c.hosts))
	rows := (len(c.hosts) + cols - 1) / cols
	for i, n := range c.hosts {
		b := below
		b.Nodes, b.Role = c.hosts[i:i+1:i+1], p.t.Place(n).Role
		b.W, b.H = s.hostW, s.hostH
		b.X, b.Y = x+float64(i/rows)*(s.hostW+s.inset)+s.inset, y+float64(i%rows)*(s.hostH+hostGap)
		p.addBox(b)
	}
}

func (p *planner) addBox(b Box) int {
	at := len(p.l.Boxes)
	for _, n := range b.Nodes {
		p.l.box[n.Index()] = int32(at)
	}
	p.l.Boxes = append(p.l.Boxes, b)
	return at
}

func compareHosts(a, b *fabric.Node) int {
	return cmp.Or(topology.CompareNatural(a.Description(), b.Description()), cmp.Compare(a.Index(), b.Index()))
}
