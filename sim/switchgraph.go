package sim

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// switchGraph is the links between switches that are up, packed for searches.
type switchGraph struct {
	ordinal []int32 // of a node among the switches; -1 for other nodes
	first   []int32 // index of a switch's first edge; one more entry at the end
	edges   []edge
}

type edge struct {
	peer int32 // ordinal of the switch at the other end
	port uint8
}

func newSwitchGraph(f *fabric.Fabric) *switchGraph {
	g := &switchGraph{ordinal: make([]int32, f.NumNodes())}
	switches := int32(0)
	for n := range f.Nodes() {
		g.ordinal[n.Index()] = -1
		if n.Type() == ib.NodeSwitch {
			g.ordinal[n.Index()] = switches
			switches++
		}
	}
	for n := range f.Switches() {
		g.first = append(g.first, int32(len(g.edges)))
		for p := range n.Ports() {
			if isUp(p) && isSwitch(p.Remote().Node()) {
				g.edges = append(g.edges, edge{g.ordinal[p.Remote().Node().Index()], uint8(p.Num())})
			}
		}
	}
	g.first = append(g.first, int32(len(g.edges)))
	return g
}

// edgesOf lists the links of a switch by ascending port, 255 at most.
func (g *switchGraph) edgesOf(sw int32) []edge { return g.edges[g.first[sw]:g.first[sw+1]] }

// distancesTo searches breadth-first from switch dest.
func (g *switchGraph) distancesTo(dest int32) []uint8 {
	hops := make([]uint8, len(g.first)-1)
	for i := range hops {
		hops[i] = noRoute
	}
	hops[dest] = 0
	queue := make([]int32, 1, len(hops))
	queue[0] = dest
	for ; len(queue) > 0 && hops[queue[0]] < maxLIDHops; queue = queue[1:] {
		near := queue[0]
		for _, e := range g.edgesOf(near) {
			if hops[e.peer] == noRoute {
				hops[e.peer] = hops[near] + 1
				queue = append(queue, e.peer)
			}
		}
	}
	return hops
}
