package topology

// ways are sets of edges that are known to lead the same way, or the opposite
// one, along their dimension.
type ways struct {
	sets
	turned []bool // against the edge that stands for the set
}

// find is the edge that stands for the set, and whether i leads the other way.
func (w *ways) find(i int32) (root int32, turned bool) {
	for w.sets[i] != i {
		up := w.sets[i]
		if w.sets[up] != up { // shorten the way for the next one
			w.turned[i] = w.turned[i] != w.turned[up]
			w.sets[i] = w.sets[up]
		}
		turned = turned != w.turned[i]
		i = w.sets[i]
	}
	return i, turned
}

// join notes that two edges lead the same way, or, turned, opposite ways.
func (w *ways) join(a, b int32, turned bool) {
	rootA, turnedA := w.find(a)
	rootB, turnedB := w.find(b)
	if rootA == rootB {
		return
	}
	low, high := min(rootA, rootB), max(rootA, rootB)
	w.sets[high] = low
	w.turned[high] = turnedA != (turnedB != turned)
}

// directions tells of each edge of a linear dimension whether it leads on, 1, or
// back, -1, from its lower switch; 0 where that is not known. Opposite edges of
// squares lead the same way, and so do the two edges of a switch.
func (d *dimensioner) directions() []int8 {
	w := &ways{newSets(len(d.edges)), make([]bool, len(d.edges))}
	d.squares(func(a, b, c, e int32) {
		u := d.shared(a, b)
		d.parallel(w, a, u, e, d.other(b, u))
		d.parallel(w, b, u, c, d.other(a, u))
	})
	for v := range d.adj {
		d.passThrough(w, int32(v))
	}
	return d.mainWays(w)
}

// parallel notes that edge a leads from u as edge b from v.
func (d *dimensioner) parallel(w *ways, a, u, b, v int32) {
	if dim := d.dimOf(a); dim >= 0 && dim == d.dimOf(b) && d.linear[dim] {
		w.join(a, b, (d.edges[a][0] == u) != (d.edges[b][0] == v))
	}
}

// passThrough notes that what comes to a switch by one of its two edges in a
// dimension goes on by the other.
func (d *dimensioner) passThrough(w *ways, v int32) {
	first, count := make([]int32, len(d.dims)), make([]int, len(d.dims))
	second := make([]int32, len(d.dims))
	for _, a := range d.adj[v] {
		if dim := d.dimOf(a.edge); dim >= 0 {
			first[dim], second[dim] = second[dim], a.edge
			count[dim]++
		}
	}
	for dim, n := range count {
		if n == 2 && d.linear[dim] {
			d.parallel(w, first[dim], d.other(first[dim], v), second[dim], v)
		}
	}
}

// mainWays takes the directions of the largest set of each dimension.
func (d *dimensioner) mainWays(w *ways) []int8 {
	size := make([]int, len(d.edges))
	for e := range d.edges {
		root, _ := w.find(int32(e))
		size[root]++
	}
	main := make([]int32, len(d.dims))
	for i := range main {
		main[i] = -1
	}
	for e := range d.edges {
		if dim := d.dimOf(int32(e)); dim >= 0 && (main[dim] < 0 || size[e] > size[main[dim]]) {
			main[dim] = int32(e)
		}
	}
	way := make([]int8, len(d.edges))
	for e := range d.edges {
		root, turned := w.find(int32(e))
		if dim := d.dimOf(int32(e)); dim >= 0 && root == main[dim] {
			way[e] = 1
			if turned {
				way[e] = -1
			}
		}
	}
	return way
}

// shared is the switch that two edges meet at.
func (d *dimensioner) shared(a, b int32) int32 {
	if v := d.edges[a][0]; v == d.edges[b][0] || v == d.edges[b][1] {
		return v
	}
	return d.edges[a][1]
}

// other is the switch at the other end of an edge.
func (d *dimensioner) other(edge, v int32) int32 { return d.edges[edge][0] + d.edges[edge][1] - v }
