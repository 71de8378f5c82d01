package layout

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
)

// planner makes a layout: nodes become cells, cells are put into blocks, blocks
// into the picture, and cells become boxes.
type planner struct {
	f     *fabric.Fabric
	t     *topology.Topology
	l     *Layout
	cells []cell
	of    []int32 // cell by node index
	size  sizes
}

// cell is a switch, or what is drawn like one, with the hosts below it.
type cell struct {
	kind  Kind
	nodes []*fabric.Node // in the box itself
	hosts []*fabric.Node // below it
	place *topology.Place
	w, h  float64
	at    float64 // a measure of where it is in its row
}

func newPlanner(f *fabric.Fabric, t *topology.Topology, o *Options) *planner {
	p := &planner{f: f, t: t, l: &Layout{Collapse: o.Collapse}, of: make([]int32, f.NumNodes())}
	if o.Collapse == Auto {
		p.l.Collapse = chosen(f.NumNodes(), t.Planes)
	}
	p.l.box = make([]int32, f.NumNodes())
	p.makeCells()
	p.l.Dense = p.isDense()
	p.size = sizesFor(p.l.Dense)
	for i := range p.cells {
		p.measure(&p.cells[i])
	}
	return p
}

// chosen is what Auto does. Hosts with a link into each plane would be a thicket.
func chosen(nodes, planes int) Collapse {
	switch {
	case nodes > PodsBeyond:
		return Pods
	case nodes > HostsBeyond || planes > 1:
		return Hosts
	}
	return None
}

// makeCells makes a cell of each switch or pod, then puts the other nodes below the
// first switch that they are linked to, or into cells of their own.
func (p *planner) makeCells() {
	pods := map[[2]int]int32{}
	for n := range p.f.Switches() {
		at := p.t.Place(n)
		key := [2]int{at.Part, at.Group}
		if p.l.Collapse == Pods && at.Group > 0 {
			if c, ok := pods[key]; ok {
				p.join(c, n)
				continue
			}
			pods[key] = int32(len(p.cells))
			p.add(WholeGroup, n)
			continue
		}
		p.add(OneNode, n)
	}
	p.mergeTiers()
	for n := range p.f.Nodes() {
		if n.Type() == ib.NodeSwitch {
			continue
		}
		sw := switchOf(n)
		if sw == nil {
			p.add(OneNode, n)
			continue
		}
		p.attach(p.of[sw.Index()], n)
	}
}

func (p *planner) add(kind Kind, n *fabric.Node) {
	p.of[n.Index()] = int32(len(p.cells))
	p.cells = append(p.cells, cell{kind: kind, nodes: []*fabric.Node{n}, place: p.t.Place(n)})
}

func (p *planner) join(c int32, n *fabric.Node) {
	p.of[n.Index()] = c
	p.cells[c].nodes = append(p.cells[c].nodes, n)
}

// attach puts a node that is no switch below a cell, or into it: aggregation nodes
// are parts of their switch.
func (p *planner) attach(c int32, n *fabric.Node) {
	if p.cells[c].kind == WholeGroup || p.t.Place(n).Role == topology.RoleAggregation {
		p.join(c, n)
		return
	}
	p.of[n.Index()] = c
	p.cells[c].hosts = append(p.cells[c].hosts, n)
}

// switchOf is the first switch that a node is linked to, nil for none.
func switchOf(n *fabric.Node) *fabric.Node {
	for port := range n.Ports() {
		if far := port.Remote(); far != nil && far.Node().Type() == ib.NodeSwitch {
			return far.Node()
		}
	}
	return nil
}

// mostEqual is how many switches beside pods are drawn one by one.
const mostEqual = 48

// mergeTiers makes one cell of the switches that lead to the same pods, where
// pods are collapsed and there are too many of such switches.
func (p *planner) mergeTiers() {
	loose := 0
	for i := range p.cells {
		if p.cells[i].kind == OneNode {
			loose++
		}
	}
	if p.l.Collapse != Pods || loose <= mostEqual || loose == len(p.cells) {
		return
	}
	merged, at := p.cells[:0:0], map[string]int32{}
	for i := range p.cells {
		c := p.cells[i]
		key := ""
		if c.kind == OneNode && c.place.Group == 0 {
			key = p.neighbours(c.nodes[0])
		}
		to, known := at[key]
		if key == "" || !known {
			to = int32(len(merged))
			at[key] = to
			merged = append(merged, cell{kind: c.kind, place: c.place})
		} else {
			merged[to].kind = SomeTier
		}
		merged[to].nodes = append(merged[to].nodes, c.nodes...)
	}
	p.cells = merged
	for i := range p.cells {
		for _, n := range p.cells[i].nodes {
			p.of[n.Index()] = int32(i)
		}
	}
}

// neighbours names the part and tier of a switch and the groups that it is linked
// to, "" for one with a link to a switch without a group: this one stays.
func (p *planner) neighbours(n *fabric.Node) string {
	place := p.t.Place(n)
	key := fmt.Sprint(place.Part, place.Tier)
	var groups []int
	for port := range n.Ports() {
		far := port.Remote()
		if far == nil || far.Node().Type() != ib.NodeSwitch {
			continue
		}
		g := p.t.Place(far.Node()).Group
		if g == 0 {
			return ""
		}
		groups = append(groups, g)
	}
	slices.Sort(groups)
	return key + fmt.Sprint(slices.Compact(groups))
}

// isDense reports whether there are more boxes in a row, or in all, than have room
// for their names.
func (p *planner) isDense() bool {
	const inRow, inAll, withHosts = 24, 120, 400
	row := map[[3]int]int{}
	for i := range p.cells {
		at := p.cells[i].place
		key := [3]int{at.Part, at.Tier}
		if at.Part > 0 && p.t.Parts[at.Part-1].Kind != topology.FatTree {
			key[2] = at.Group
		}
		row[key]++
		if row[key] > inRow && at.Coords == nil && at.Part > 0 {
			return true
		}
	}
	return len(p.cells) > inAll || p.l.Collapse == None && p.f.NumNodes() > withHosts
}

// compareCells is the order of the cells in a row: by rail, then by name.
func compareCells(a, b *cell) int {
	return cmp.Or(
		cmp.Compare(a.place.Group, b.place.Group),
		cmp.Compare(a.place.Rail, b.place.Rail),
		topology.CompareNatural(a.nodes[0].Description(), b.nodes[0].Description()),
		cmp.Compare(a.nodes[0].Index(), b.nodes[0].Index()),
	)
}
