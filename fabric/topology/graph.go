package topology

import (
	"cmp"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// graph is the switches and the links between them, packed for searches. Its
// vertices are switches, or whole directors, in canonical order.
type graph struct {
	vertex  []int32          // by node index, -1 for what is no switch
	members [][]*fabric.Node // of a vertex
	adj     [][]arc          // by ascending peer
	hosts   []int32          // links to hosts
	routers []int32          // links to routers
	part    []*part          // of a vertex
	local   []int32          // number of a vertex in its part
}

// arc is all links to another vertex, as seen from one end.
type arc struct {
	to    int32
	edge  int32 // number of the pair of vertices, the same from both ends
	links int32
}

func newGraph(c *classifier, o *Options) *graph {
	g := &graph{vertex: make([]int32, c.f.NumNodes())}
	box := boxes(c, o)
	seen := map[*fabric.Chassis]int32{}
	for n := range c.f.Nodes() {
		g.vertex[n.Index()] = -1
		if n.Type() != ib.NodeSwitch {
			continue
		}
		v := int32(len(g.members))
		if in := n.Chassis(); box[in] {
			if at, ok := seen[in]; ok {
				g.vertex[n.Index()] = at
				g.members[at] = append(g.members[at], n)
				continue
			}
			seen[in] = v
		}
		g.vertex[n.Index()] = v
		g.members = append(g.members, []*fabric.Node{n})
	}
	g.hosts, g.routers = make([]int32, len(g.members)), make([]int32, len(g.members))
	g.connect(c)
	return g
}

// boxes are the chassis that are one vertex each: those with switches that are
// not in different planes.
func boxes(c *classifier, o *Options) map[*fabric.Chassis]bool {
	box := map[*fabric.Chassis]bool{}
	if !o.CollapseChassis {
		return box
	}
	plane := map[*fabric.Chassis]int{}
	for n := range c.f.Switches() {
		in := n.Chassis()
		if in == nil {
			continue
		}
		if before, ok := plane[in]; !ok {
			plane[in], box[in] = c.Place(n).Plane, true
		} else if before != c.Place(n).Plane {
			box[in] = false
		}
	}
	return box
}

// connect fills in the links. Those between planes only join the chips of boxes.
func (g *graph) connect(c *classifier) {
	g.adj = make([][]arc, len(g.members))
	for l := range c.f.Links() {
		a, b := g.vertex[l.A.Node().Index()], g.vertex[l.B.Node().Index()]
		switch {
		case a < 0 && b < 0:
		case a < 0:
			g.attach(c, b, l.A.Node())
		case b < 0:
			g.attach(c, a, l.B.Node())
		case a != b && c.Place(l.A.Node()).Plane == c.Place(l.B.Node()).Plane:
			g.adj[a] = append(g.adj[a], arc{to: b, links: 1})
			g.adj[b] = append(g.adj[b], arc{to: a, links: 1})
		}
	}
	for v := range g.adj {
		g.adj[v] = mergeArcs(g.adj[v])
	}
}

// attach counts a link to something that is no switch.
func (g *graph) attach(c *classifier, v int32, n *fabric.Node) {
	switch role := c.Place(n).Role; {
	case role.IsHost():
		g.hosts[v]++
	case role == RoleRouter:
		g.routers[v]++
	}
}

// mergeArcs sorts arcs and makes one of those to the same vertex.
func mergeArcs(arcs []arc) []arc {
	slices.SortFunc(arcs, func(a, b arc) int { return cmp.Compare(a.to, b.to) })
	merged := arcs[:0]
	for _, a := range arcs {
		if last := len(merged) - 1; last >= 0 && merged[last].to == a.to {
			merged[last].links += a.links
			continue
		}
		merged = append(merged, a)
	}
	return merged
}
