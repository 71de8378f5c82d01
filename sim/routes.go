package sim

import (
	"sync"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// noRoute is the forwarding table entry of LIDs that cannot be reached.
const noRoute uint8 = 255

// maxDistanceBytes bounds what the distances of the routes may use.
const maxDistanceBytes = 32 << 20

// routes finds the way to a LID. A switch whose forwarding table the fabric
// knows forwards by it. For the others a table is made up: the shortest way,
// and of the ports that are on one, a choice that depends on the LID. What is
// routed and what Get(LinearForwardingTable) answers come from here alike.
type routes struct {
	model *fabric.Fabric
	graph func() *switchGraph // made when it is first needed

	mu       sync.RWMutex
	distance map[int32][]uint8 // by destination switch: hops from each switch to it
}

func newRoutes(f *fabric.Fabric) *routes {
	return &routes{model: f, distance: map[int32][]uint8{},
		graph: sync.OnceValue(func() *switchGraph { return newSwitchGraph(f) })}
}

// next is the port by which sw forwards to dlid: 0 for itself, or noRoute.
func (r *routes) next(sw *fabric.Node, dlid ib.LID) uint8 {
	if table := sw.LFT(); table != nil {
		if int(dlid) < len(table) {
			return table[dlid]
		}
		return noRoute
	}
	owner, ok := r.model.PortByLID(dlid)
	if !ok {
		return noRoute
	}
	if owner.Node() == sw {
		return 0
	}
	if !isSwitch(owner.Node()) {
		last := owner.Remote()
		if !isUp(owner) || !isSwitch(last.Node()) {
			return noRoute
		}
		if last.Node() == sw {
			return uint8(last.Num())
		}
		owner = last
	}
	return r.towards(sw, owner.Node(), dlid)
}

// towards chooses among the ports of sw that lead nearer to switch dest.
func (r *routes) towards(sw, dest *fabric.Node, dlid ib.LID) uint8 {
	g := r.graph()
	hops := r.distances(g, g.ordinal[dest.Index()])
	from := g.ordinal[sw.Index()]
	if hops[from] == noRoute {
		return noRoute
	}
	var nearer [256]uint8
	count := 0
	for _, e := range g.edgesOf(from) {
		if hops[e.peer]+1 == hops[from] {
			nearer[count] = e.port
			count++
		}
	}
	if count == 0 {
		return noRoute
	}
	return nearer[int(dlid)%count]
}

// distances gives how many hops each switch is away from switch dest; noRoute
// for those that cannot reach it. It remembers them within bounds.
func (r *routes) distances(g *switchGraph, dest int32) []uint8 {
	r.mu.RLock()
	hops := r.distance[dest]
	r.mu.RUnlock()
	if hops != nil {
		return hops
	}
	hops = g.distancesTo(dest)
	r.mu.Lock()
	defer r.mu.Unlock()
	if (len(r.distance)+1)*len(hops) > maxDistanceBytes {
		clear(r.distance)
	}
	r.distance[dest] = hops
	return hops
}
