package topology

// findLinear finds the dimensions in which nearly all switches have two
// neighbours at most: lines and rings.
func (d *dimensioner) findLinear() {
	more := make([]int, len(d.dims))
	for v := range d.adj {
		count := make([]int, len(d.dims))
		for _, a := range d.adj[v] {
			if dim := d.dimOf(a.edge); dim >= 0 {
				count[dim]++
			}
		}
		for dim, n := range count {
			if n > 2 {
				more[dim]++
			}
		}
	}
	d.linear, d.at = make([]bool, len(d.dims)), make([][]int32, len(d.dims))
	for dim, n := range more {
		d.linear[dim] = 20*n <= len(d.adj)
	}
}

// lift counts places along the linear dimensions. From one switch it walks over
// all links and counts on, and on again around rings, as if these did not close.
// Where it meets switches that have their place, the difference is the size of the
// ring.
func (d *dimensioner) lift() {
	way := d.directions()
	place, seen := d.walk(way)
	for dim := range d.dims {
		if !d.linear[dim] {
			continue
		}
		d.dims[dim] = d.measure(dim, way, place, seen)
		size := int32(d.dims[dim].Size)
		low := int32(0)
		for v := range place {
			if seen[v] {
				low = min(low, place[v][dim])
			}
		}
		at := make([]int32, len(place))
		for v := range at {
			switch {
			case !seen[v]:
				at[v] = -1
			case d.dims[dim].Wrap:
				at[v] = ((place[v][dim]-low)%size + size) % size
			default:
				at[v] = place[v][dim] - low
			}
		}
		d.at[dim] = at
	}
}

// walk gives each switch that it reaches a place in the dimensions.
func (d *dimensioner) walk(way []int8) (place [][]int32, seen []bool) {
	place, seen = make([][]int32, len(d.adj)), make([]bool, len(d.adj))
	start := d.walkStart(way)
	place[start], seen[start] = make([]int32, len(d.dims)), true
	for queue := []int32{int32(start)}; len(queue) > 0; queue = queue[1:] {
		u := queue[0]
		for _, a := range d.adj[u] {
			if seen[a.to] || !d.leads(way, a.edge) {
				continue
			}
			dim := d.dimOf(a.edge)
			seen[a.to] = true
			next := make([]int32, len(d.dims))
			copy(next, place[u])
			if d.linear[dim] {
				next[dim] += d.step(way, a.edge, u)
			}
			place[a.to] = next
			queue = append(queue, a.to)
		}
	}
	return place, seen
}

// walkStart is the first of the switches with the most edges to walk along.
func (d *dimensioner) walkStart(way []int8) (start int) {
	most := -1
	for v := range d.adj {
		count := 0
		for _, a := range d.adj[v] {
			if d.leads(way, a.edge) {
				count++
			}
		}
		if count > most {
			start, most = v, count
		}
	}
	return start
}

// leads reports whether it is known where an edge leads.
func (d *dimensioner) leads(way []int8, edge int32) bool {
	dim := d.dimOf(edge)
	return dim >= 0 && (!d.linear[dim] || way[edge] != 0)
}

// step is 1 or -1: whether an edge leads on from u, or back.
func (d *dimensioner) step(way []int8, edge, u int32) int32 {
	if d.edges[edge][0] == u {
		return int32(way[edge])
	}
	return -int32(way[edge])
}

// measure finds the size of a linear dimension, and whether it is closed: then
// there are about as many links with a difference as the lattice has rows.
func (d *dimensioner) measure(dim int, way []int8, place [][]int32, seen []bool) Dimension {
	turns := map[int32]int{}
	low, high := int32(0), int32(0)
	for e, ends := range d.edges {
		u, v := ends[0], ends[1]
		if !seen[u] || !seen[v] || !d.leads(way, int32(e)) {
			continue
		}
		on := d.dimOf(int32(e))
		far := place[u][dim] - place[v][dim]
		if int(on) == dim {
			far += d.step(way, int32(e), u)
		}
		if far != 0 {
			turns[max(far, -far)]++
		}
		low, high = min(low, place[u][dim], place[v][dim]), max(high, place[u][dim], place[v][dim])
	}
	best := int32(0)
	for size, n := range turns {
		if n > turns[best] || n == turns[best] && size < best {
			best = size
		}
	}
	if best >= 3 && 4*turns[best]*int(best) >= len(d.adj) {
		return Dimension{Size: int(best), Wrap: true}
	}
	return Dimension{Size: int(high-low) + 1}
}
