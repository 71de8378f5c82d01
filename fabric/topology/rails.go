package topology

import (
	"maps"
	"slices"
	"sort"

	"github.com/ibscope/ibscope/fabric"
)

// findRails finds whether the adapters of all hosts that have several are on
// different leaves, and the same on the same. Those of one rail have one name in
// all hosts, or one place in the order of the names where makes of hosts name them
// differently.
func (c *classifier) findRails() {
	name := railFinder{classifier: c}
	name.find(func(_ int, h *HCA) string { return h.Device })
	place := railFinder{classifier: c}
	place.find(func(i int, _ *HCA) string { return string(rune('0' + i)) })
	best := &name
	if place.isBetter(&name) {
		best = &place
	}
	if best.count > 1 {
		best.fill()
	}
}

// railFinder looks at the adapters by a key that those of a rail have in common.
type railFinder struct {
	*classifier
	keys   []railKey
	leaves []map[int32]int  // by vertex: links, by key; nil for switches without
	hosts  []map[int32]bool // keys of each host with several adapters
	rail   []int32          // of a key, -1 for none
	count  int
	spread int // rails of each host, summed up
}

// isBetter reports whether r spreads hosts over more rails than o, or over about
// as many with fewer in all: with names, each way to name adapters has its own.
func (r *railFinder) isBetter(o *railFinder) bool {
	return 20*r.spread > 21*o.spread || 20*r.spread >= 19*o.spread && r.count < o.count
}

// railKey is what is counted for a key.
type railKey struct {
	links   int
	devices map[string]bool
}

// Keys are on one rail if one in so many of the links of either goes to leaves
// of the other; and a rail has one in so many of the links of the largest.
const railShare = 10

func (r *railFinder) find(key func(i int, h *HCA) string) {
	r.leaves = make([]map[int32]int, len(r.g.adj))
	numbers := map[string]int32{}
	for i := range r.Hosts {
		h := &r.Hosts[i]
		if h.Name == "" || len(h.HCAs) < 2 {
			continue
		}
		keys := map[int32]bool{}
		for k := range h.HCAs {
			n, ok := r.f.NodeByGUID(h.HCAs[k].GUID)
			if !ok || h.HCAs[k].Device == "" {
				continue
			}
			text := key(k, &h.HCAs[k])
			id, ok := numbers[text]
			if !ok {
				id = int32(len(r.keys))
				numbers[text] = id
				r.keys = append(r.keys, railKey{devices: map[string]bool{}})
			}
			if r.countLinks(n, id) {
				keys[id] = true
				r.keys[id].devices[h.HCAs[k].Device] = true
			}
		}
		r.hosts = append(r.hosts, keys)
	}
	r.join()
	r.drop()
}

// countLinks counts the links of an adapter to leaves.
func (r *railFinder) countLinks(n *fabric.Node, id int32) (any bool) {
	for p := range n.Ports() {
		far, ok := otherSwitch(p)
		if !ok {
			continue
		}
		v := r.g.vertex[far.Index()]
		if r.leaves[v] == nil {
			r.leaves[v] = map[int32]int{}
		}
		r.leaves[v][id]++
		r.keys[id].links++
		any = true
	}
	return any
}

// join numbers the rails that the keys are on.
func (r *railFinder) join() {
	shared := map[[2]int32]int{}
	for _, counts := range r.leaves {
		for a, n := range counts {
			for b, m := range counts {
				if a < b {
					shared[[2]int32{a, b}] += min(n, m)
				}
			}
		}
	}
	s := newSets(len(r.keys))
	for k, n := range shared {
		if n*railShare >= min(r.keys[k[0]].links, r.keys[k[1]].links) {
			s.join(k[0], k[1])
		}
	}
	r.rail, r.count = s.number()
}

// drop takes out what is no rail: of far fewer links than the largest, or of
// hosts that are mostly on no other.
func (r *railFinder) drop() {
	links, hosts, both := make([]int, r.count), make([]int, r.count), make([]int, r.count)
	for id, rail := range r.rail {
		links[rail] += r.keys[id].links
	}
	for _, keys := range r.hosts {
		on := map[int32]bool{}
		for id := range keys {
			on[r.rail[id]] = true
		}
		for rail := range on {
			hosts[rail]++
			if len(on) > 1 {
				both[rail]++
			}
		}
	}
	again := make([]int32, r.count)
	kept := 0
	for i := range again {
		again[i] = -1
		if hosts[i] > 1 && 2*both[i] >= hosts[i] && links[i]*railShare >= slices.Max(links) {
			again[i] = int32(kept)
			kept++
		}
	}
	for id, rail := range r.rail {
		r.rail[id] = again[rail]
	}
	r.count = kept
	for _, keys := range r.hosts {
		on := map[int32]bool{}
		for id := range keys {
			on[r.rail[id]] = true
		}
		delete(on, -1)
		r.spread += len(on)
	}
}

// fill writes the rails in the natural order of their first names.
func (r *railFinder) fill() {
	rails := make([]Rail, r.count)
	for id, at := range r.rail {
		if at >= 0 {
			rails[at].Links += r.keys[id].links
			for name := range maps.Keys(r.keys[id].devices) {
				if !slices.Contains(rails[at].Devices, name) {
					rails[at].Devices = append(rails[at].Devices, name)
				}
			}
		}
	}
	for i := range rails {
		rails[i].Number = i // for a moment, to find it again
		slices.SortFunc(rails[i].Devices, CompareNatural)
	}
	sort.SliceStable(rails, func(i, j int) bool {
		a, b := rails[i], rails[j]
		return CompareNatural(a.Devices[0], b.Devices[0]) < 0
	})
	rank := make([]int, len(rails))
	for i := range rails {
		rank[rails[i].Number] = i
		rails[i].Number = i + 1
	}
	r.Rails = rails
	r.fillLeaves(rank)
}

// fillLeaves gives each leaf the rail that most of its adapters are on.
func (r *railFinder) fillLeaves(rank []int) {
	for v, counts := range r.leaves {
		votes, best := make([]int, r.count), 0
		for id, n := range counts {
			if at := r.rail[id]; at >= 0 {
				votes[rank[at]] += n
			}
		}
		for i, n := range votes {
			if n > votes[best] {
				best = i
			}
		}
		if votes[best] == 0 {
			continue
		}
		to := &r.Rails[best]
		for _, n := range r.g.members[v] {
			at := r.Place(n)
			at.Rail = to.Number
			to.Leaves = append(to.Leaves, n.GUID())
			if !slices.Contains(to.Parts, at.Part) {
				to.Parts = append(to.Parts, at.Part)
			}
		}
	}
	for i := range r.Rails {
		slices.Sort(r.Rails[i].Parts)
	}
}
