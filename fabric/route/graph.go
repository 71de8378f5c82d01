package route

import (
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/model"
	"github.com/ibscope/ibscope/ib"
)

// graph is the usable links between switches, packed for searches, and where
// each LID lives.
type graph struct {
	switches []*fabric.Node
	ordinal  []int32 // of a node among the switches, by its index; -1 for others
	first    []int32 // index of a switch's first edge; one more entry at the end
	edges    []edge
	leaf     []bool // by switch: it has adapters, aggregation nodes aside
	dests    []dest // by LID, up to the highest one in use

	// Adapters of several planes have one LID at all their ports: the dests
	// beside the first. Packets stay in their plane.
	more map[ib.LID][]dest
}

// edge is a link to another switch, as seen from one end.
type edge struct {
	peer int32 // ordinal
	port uint8
}

// dest is where a LID lives.
type dest struct {
	sw     int32 // ordinal of the switch that it is at, -1 for no such LID
	rank   int32 // its port's number among those of hosts, or of switches
	port   uint8 // of that switch, 0 for the switch itself
	offset uint8 // from the base LID
	inner  bool  // the owner is part of the switch: the switch itself, or its aggregation node
}

func newGraph(f *fabric.Fabric, o *Options) *graph {
	g := &graph{ordinal: make([]int32, f.NumNodes())}
	for n := range f.Nodes() {
		g.ordinal[n.Index()] = -1
		if isSwitch(n) {
			g.ordinal[n.Index()] = int32(len(g.switches))
			g.switches = append(g.switches, n)
		}
	}
	g.leaf = make([]bool, len(g.switches))
	for _, n := range g.switches {
		g.first = append(g.first, int32(len(g.edges)))
		for num := 1; num <= n.NumPorts(); num++ {
			if peer, _, ok := o.peer(n, num); ok && isSwitch(peer) && peer != n {
				g.edges = append(g.edges, edge{g.ordinal[peer.Index()], uint8(num)})
			}
		}
	}
	g.first = append(g.first, int32(len(g.edges)))
	g.findLIDs(f, o)
	return g
}

// findLIDs fills in where each LID lives. Ranks follow the LIDs.
func (g *graph) findLIDs(f *fabric.Fabric, o *Options) {
	for n := range f.Nodes() {
		if isSwitch(n) {
			base, lmc := o.lid(n, 0)
			g.setDests(base, lmc, dest{sw: g.ordinal[n.Index()], inner: true})
			continue
		}
		inner := isAggregationNode(n)
		for num := 1; num <= n.NumPorts(); num++ {
			if peer, peerNum, ok := o.peer(n, num); ok && isSwitch(peer) {
				base, lmc := o.lid(n, num)
				g.setDests(base, lmc, dest{sw: g.ordinal[peer.Index()], port: uint8(peerNum), inner: inner})
			}
		}
	}
	g.rankLIDs()
}

// setDests notes where the LIDs of a port live.
func (g *graph) setDests(base ib.LID, lmc uint8, d dest) {
	for i := range 1 << min(lmc, 7) {
		d.offset = uint8(i)
		g.setDest(int(base)+i, d)
	}
}

// rankLIDs numbers the ports that have LIDs.
func (g *graph) rankLIDs() {
	var hosts, inner int32
	for i := range g.dests {
		d := &g.dests[i]
		if d.sw < 0 {
			continue
		}
		count := &hosts
		if d.inner {
			count = &inner
		} else {
			g.leaf[d.sw] = true
		}
		if d.offset == 0 {
			*count++
		}
		d.rank = max(*count-1, 0)
	}
}

// isAggregationNode tells the adapters that are built into switches, also into
// those on top of a tree.
func isAggregationNode(n *fabric.Node) bool {
	info := n.Info()
	return strings.HasSuffix(model.Name(info.VendorID, info.DeviceID), "aggregation node")
}

// setDest notes where a LID lives. Of several ports with it the first counts, but
// for switches that are nearer to another.
func (g *graph) setDest(lid int, d dest) {
	if lid < 1 || lid > int(ib.MaxUnicastLID) {
		return
	}
	for len(g.dests) <= lid {
		g.dests = append(g.dests, dest{sw: -1})
	}
	if g.dests[lid].sw < 0 {
		g.dests[lid] = d
		return
	}
	if g.more == nil {
		g.more = map[ib.LID][]dest{}
	}
	g.more[ib.LID(lid)] = append(g.more[ib.LID(lid)], d)
}

// edgesOf lists the links of a switch by ascending port, 255 at most.
func (g *graph) edgesOf(sw int32) []edge { return g.edges[g.first[sw]:g.first[sw+1]] }

func isSwitch(n *fabric.Node) bool { return n.Type() == ib.NodeSwitch }
