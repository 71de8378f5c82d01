package route

import (
	"cmp"
	"fmt"
	"slices"
)

// noLevel is the level of switches that no adapter can be reached from.
const noLevel = -1

// levels is how many hops each switch is away from the nearest one with
// adapters, and the most of them.
func (g *graph) levels() (level []int32, top int) {
	level = make([]int32, len(g.switches))
	var queue []int32
	for i := range level {
		level[i] = noLevel
		if g.leaf[i] {
			level[i] = 0
			queue = append(queue, int32(i))
		}
	}
	g.spread(level, queue)
	return level, int(slices.Max(append([]int32{0}, level...)))
}

// spread continues a breadth-first search from the switches in queue, which
// have their level already.
func (g *graph) spread(level []int32, queue []int32) {
	for ; len(queue) > 0; queue = queue[1:] {
		near := queue[0]
		for _, e := range g.edgesOf(near) {
			if level[e.peer] == noLevel {
				level[e.peer] = level[near] + 1
				queue = append(queue, e.peer)
			}
		}
	}
}

// widths is, by level, how many links lead up from most of the switches there.
func (g *graph) widths(level []int32, top int) []int32 {
	widths := make([]int32, top+1)
	for i := range widths {
		count := map[int32]int{}
		for sw := range level {
			if int(level[sw]) == i {
				count[g.linksUp(level, int32(sw))]++
			}
		}
		best := 0
		for width, n := range count {
			if n > best || n == best && width > widths[i] {
				best, widths[i] = n, width
			}
		}
		widths[i] = max(widths[i], 1)
	}
	return widths
}

func (g *graph) linksUp(level []int32, sw int32) (n int32) {
	for _, e := range g.edgesOf(sw) {
		if level[e.peer] > level[sw] {
			n++
		}
	}
	return n
}

// checkFatTree tells where a fabric is no fat tree: each link must join
// neighbouring levels. A single level is no tree if it has links.
func (g *graph) checkFatTree(level []int32) error {
	for sw := range level {
		for _, e := range g.edgesOf(int32(sw)) {
			if d := level[e.peer] - level[sw]; d != 1 && d != -1 {
				return &Error{Op: "fat tree", Detail: fmt.Sprintf("switches %s and %s are joined, both %d hops above the adapters",
					g.switches[sw].GUID(), g.switches[e.peer].GUID(), max(level[sw], level[e.peer]))}
			}
		}
	}
	return g.checkAncestors(g.orderByLevel(level))
}

// orderByLevel numbers the switches from the top down.
func (g *graph) orderByLevel(level []int32) []int32 {
	return g.order(func(a, b int32) int { return cmp.Compare(level[b], level[a]) })
}

// order numbers the switches as compare sorts them, switches alike as they
// stand in the fabric.
func (g *graph) order(compare func(a, b int32) int) []int32 {
	sorted := make([]int32, len(g.switches))
	for i := range sorted {
		sorted[i] = int32(i)
	}
	slices.SortStableFunc(sorted, compare)
	order := make([]int32, len(sorted))
	for i, sw := range sorted {
		order[sw] = int32(i)
	}
	return order
}
