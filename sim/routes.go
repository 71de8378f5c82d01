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
	model    *fabric.Fabric
	ordinal  []int32        // of a node among the switches; -1 for other nodes
	switches []*fabric.Node // by ordinal

	mu       sync.RWMutex
	distance map[int32][]uint8 // by destination switch: hops from each switch to it
}

func newRoutes(f *fabric.Fabric) *routes {
	r := &routes{model: f, ordinal: make([]int32, f.NumNodes()), distance: map[int32][]uint8{}}
	for n := range f.Nodes() {
		r.ordinal[n.Index()] = -1
		if n.Type() == ib.NodeSwitch {
			r.ordinal[n.Index()] = int32(len(r.switches))
			r.switches = append(r.switches, n)
		}
	}
	return r
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
	if owner.Node().Type() != ib.NodeSwitch {
		last := owner.Remote()
		if !isUp(owner) || last.Node().Type() != ib.NodeSwitch {
			return noRoute
		}
		if last.Node() == sw {
			return uint8(last.Num())
		}
		owner = last
	}
	return r.towards(sw, r.ordinal[owner.Node().Index()], dlid)
}

// towards chooses among the ports of sw that lead nearer to switch dest.
func (r *routes) towards(sw *fabric.Node, dest int32, dlid ib.LID) uint8 {
	hops := r.distances(dest)
	here := hops[r.ordinal[sw.Index()]]
	if here == noRoute {
		return noRoute
	}
	var nearer [256]uint8
	count := 0
	for p := range sw.Ports() {
		if isUp(p) && count < len(nearer) {
			if peer := r.ordinal[p.Remote().Node().Index()]; peer >= 0 && hops[peer]+1 == here {
				nearer[count] = uint8(p.Num())
				count++
			}
		}
	}
	if count == 0 {
		return noRoute
	}
	return nearer[int(dlid)%count]
}

// distances gives how many hops each switch is away from switch dest; noRoute
// for those that cannot reach it. It remembers them within bounds.
func (r *routes) distances(dest int32) []uint8 {
	r.mu.RLock()
	hops := r.distance[dest]
	r.mu.RUnlock()
	if hops != nil {
		return hops
	}
	hops = r.measure(dest)
	r.mu.Lock()
	defer r.mu.Unlock()
	if (len(r.distance)+1)*len(r.switches) > maxDistanceBytes {
		clear(r.distance)
	}
	r.distance[dest] = hops
	return hops
}

func (r *routes) measure(dest int32) []uint8 {
	hops := make([]uint8, len(r.switches))
	for i := range hops {
		hops[i] = noRoute
	}
	hops[dest] = 0
	queue := make([]int32, 1, len(r.switches))
	queue[0] = dest
	for ; len(queue) > 0; queue = queue[1:] {
		near := queue[0]
		if hops[near] >= maxLIDHops {
			break
		}
		for p := range r.switches[near].Ports() {
			if !isUp(p) {
				continue
			}
			if far := r.ordinal[p.Remote().Node().Index()]; far >= 0 && hops[far] == noRoute {
				hops[far] = hops[near] + 1
				queue = append(queue, far)
			}
		}
	}
	return hops
}
