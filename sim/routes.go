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

// routes finds the way to a LID. A switch forwards by the table that was set,
// else by the one that the model knows, else as the Manager says. Without one a
// table is made up, of the fabric as the model tells it: the shortest way, and of the ports that are
// on one, a choice that depends on the LID. What is routed and what
// Get(LinearForwardingTable) answers come from here alike.
type routes struct {
	model   *fabric.Fabric
	manager *managerPointer
	graph   func() *switchGraph // made when it is first needed

	mu       sync.RWMutex
	distance map[int32][]uint8 // by destination switch: hops from each switch to it
}

func newRoutes(f *fabric.Fabric, m *managerPointer) *routes {
	return &routes{
		model: f, manager: m, distance: map[int32][]uint8{},
		graph: sync.OnceValue(func() *switchGraph { return newSwitchGraph(f) }),
	}
}

// original is the entry of the table that sw had at first.
func (r *routes) original(sw *fabric.Node, dlid ib.LID) uint8 {
	if table := sw.LFT(); table != nil {
		if int(dlid) < len(table) {
			return table[dlid]
		}
		return noRoute
	}
	if m := r.manager.get(); m != nil {
		return m.Next(sw, dlid)
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
