package topology

import (
	"cmp"
	"slices"
)

// part is a connected part of the graph, with vertices of its own from 0 on,
// in canonical order.
type part struct {
	Part
	global  []int32 // vertex of the graph
	adj     [][]arc // with numbers of the part
	edges   [][2]int32
	hosts   []int32
	tier    []int32                        // from 1, 0 when not reached
	mirror  []bool                         // the tier is that of siblings, not the distance
	group   []int32                        // pod or group from 1, 0 for none
	coords  [][]int                        // of a lattice
	fits    func(p *part, e [2]int32) bool // whether an edge is where the kind wants it
	maxTier int32
}

// findParts splits the graph into its connected parts, the one with the most
// hosts first, then that with the most switches.
func (c *classifier) findParts() {
	local := make([]int32, len(c.g.adj))
	c.g.local, c.g.part = local, make([]*part, len(c.g.adj))
	for v := range local {
		local[v] = -1
	}
	for v := range c.g.adj {
		if local[v] < 0 {
			c.parts = append(c.parts, c.newPart(int32(v), local))
		}
	}
	slices.SortStableFunc(c.parts, func(a, b *part) int {
		return cmp.Or(cmp.Compare(b.Adapters, a.Adapters), cmp.Compare(b.Switches, a.Switches), cmp.Compare(a.Plane, b.Plane))
	})
	for i, p := range c.parts {
		p.Number = i + 1
	}
}

// newPart gathers the part that a vertex is in.
func (c *classifier) newPart(start int32, local []int32) *part {
	p := &part{global: []int32{start}}
	local[start] = 0
	for i := 0; i < len(p.global); i++ {
		for _, a := range c.g.adj[p.global[i]] {
			if local[a.to] < 0 {
				local[a.to] = 0
				p.global = append(p.global, a.to)
			}
		}
	}
	slices.Sort(p.global)
	for i, v := range p.global {
		local[v] = int32(i)
		c.g.part[v] = p
	}
	p.Switches = len(p.global)
	p.Plane = c.Place(c.g.members[start][0]).Plane
	p.adj = make([][]arc, len(p.global))
	p.hosts = make([]int32, len(p.global))
	for i, v := range p.global {
		p.hosts[i] = c.g.hosts[v]
		p.Adapters += int(c.g.hosts[v])
		p.Routers += int(c.g.routers[v])
		p.adj[i] = make([]arc, len(c.g.adj[v]))
		for k, a := range c.g.adj[v] {
			p.adj[i][k] = arc{to: local[a.to], links: a.links}
		}
	}
	p.numberEdges()
	return p
}

// numberEdges gives each pair of joined vertices a number.
func (p *part) numberEdges() {
	seen := make([]int, len(p.adj)) // arcs of a vertex that have their number
	for u := range p.adj {
		for k := range p.adj[u] {
			a := &p.adj[u][k]
			if a.to < int32(u) {
				continue
			}
			a.edge = int32(len(p.edges))
			p.edges = append(p.edges, [2]int32{int32(u), a.to})
			// The lower vertices come to a higher one in ascending order.
			p.adj[a.to][seen[a.to]].edge = a.edge
			seen[a.to]++
		}
	}
}
