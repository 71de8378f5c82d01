package route

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ibscope/ibscope/fabric"
)

// upDownOrder numbers the switches so that a link leads up to the lower number:
// by their distance from the roots. Without roots these are the switches that
// are farthest from the adapters, or, where some adapters would have no common
// ancestor or all switches have adapters, one in the middle of the fabric.
func (g *graph) upDownOrder(level []int32, roots []*fabric.Node) []int32 {
	if chosen := g.ordinals(roots); len(chosen) > 0 {
		return g.orderFrom(chosen)
	}
	top := slices.Max(append([]int32{0}, level...))
	if top > 0 {
		var tops []int32
		for sw, l := range level {
			if l == top {
				tops = append(tops, int32(sw))
			}
		}
		if order := g.orderFrom(tops); g.checkAncestors(order) == nil {
			return order
		}
	}
	return g.orderFrom(nil)
}

func (g *graph) ordinals(nodes []*fabric.Node) (list []int32) {
	for _, n := range nodes {
		if isSwitch(n) && n.Index() < len(g.ordinal) {
			list = append(list, g.ordinal[n.Index()])
		}
	}
	return list
}

// orderFrom numbers the switches by their distance from the roots. Parts of the
// fabric without a root get one in their middle.
func (g *graph) orderFrom(roots []int32) []int32 {
	rank := make([]int32, len(g.switches))
	for i := range rank {
		rank[i] = noLevel
	}
	for _, r := range roots {
		rank[r] = 0
	}
	g.spread(rank, slices.Clone(roots))
	for sw := range rank {
		if rank[sw] == noLevel {
			middle := g.middle(int32(sw))
			rank[middle] = 0
			g.spread(rank, []int32{middle})
		}
	}
	return g.order(func(a, b int32) int { return cmp.Compare(rank[a], rank[b]) })
}

// middle is half way along the longest of the shortest ways that start at the
// switch farthest from sw: the centre of a tree, and near it elsewhere.
func (g *graph) middle(sw int32) int32 {
	from := func(start int32) ([]int32, int32) {
		level := make([]int32, len(g.switches))
		for i := range level {
			level[i] = noLevel
		}
		level[start] = 0
		g.spread(level, []int32{start})
		far := start
		for i, l := range level {
			if l > level[far] {
				far = int32(i)
			}
		}
		return level, far
	}
	_, end := from(sw)
	level, at := from(end)
	for want := level[at] / 2; level[at] > want; {
		for _, e := range g.edgesOf(at) {
			if level[e.peer] < level[at] {
				at = e.peer
				break
			}
		}
	}
	return at
}

// checkAncestors makes sure that every two switches with adapters have an
// ancestor in common. Going up ends at a root, so it is enough to look at these.
func (g *graph) checkAncestors(order []int32) error {
	sorted := make([]int32, len(order))
	for sw, i := range order {
		sorted[i] = int32(sw)
	}
	roots := make([][]uint64, len(order)) // by switch: a set of roots
	count := 0
	for _, sw := range sorted {
		if !slices.ContainsFunc(g.edgesOf(sw), func(e edge) bool { return order[e.peer] < order[sw] }) {
			count++
		}
	}
	next, words := 0, (count+63)/64
	distinct := map[string][]uint64{}
	for _, sw := range sorted {
		set := make([]uint64, words)
		isRoot := true
		for _, e := range g.edgesOf(sw) {
			if order[e.peer] < order[sw] {
				isRoot = false
				for i, w := range roots[e.peer] {
					set[i] |= w
				}
			}
		}
		if isRoot {
			set[next/64] |= 1 << (next % 64)
			next++
		}
		roots[sw] = set
		if g.leaf[sw] {
			distinct[fmt.Sprint(set)] = set
		}
	}
	return checkIntersect(distinct)
}

func checkIntersect(sets map[string][]uint64) error {
	for _, a := range sets {
		for _, b := range sets {
			common := false
			for i := range a {
				common = common || a[i]&b[i] != 0
			}
			if !common {
				return &Error{Op: "fat tree", Detail: "some adapters have no switch above both"}
			}
		}
	}
	return nil
}
