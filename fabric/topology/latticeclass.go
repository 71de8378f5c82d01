package topology

// dimensioner finds the dimensions of a lattice.
type dimensioner struct {
	*part
	dims  []Dimension
	class []int32 // of an edge
	sizes []int   // of the classes, in edges
	dim   []int32 // of a class, -1 for those too small to tell

	linear []bool    // by dimension: lines or rings
	at     [][]int32 // by dimension, the place of a vertex; -1 where not known
}

// maxDims is the most dimensions of a lattice.
const maxDims = 16

// classes puts the edges into classes.
func (d *dimensioner) classes() bool {
	s := newSets(len(d.edges))
	d.triangles(func(a, b, c int32) {
		s.join(a, b)
		s.join(a, c)
	})
	ok := d.squares(func(a, b, c, e int32) {
		s.join(a, e)
		s.join(b, c)
	})
	if !ok {
		return false
	}
	var count int
	d.class, count = s.number()
	d.sizes = make([]int, count)
	for _, c := range d.class {
		d.sizes[c]++
	}
	return true
}

// squares calls f for each square without a diagonal, once from each end of one: its edges a
// and b meet at one corner, c and e at the opposite one, a is next to c. It is
// false when there is no lattice: in one two switches that are not joined have at
// most two neighbours in common.
func (d *dimensioner) squares(f func(a, b, c, e int32)) bool {
	type way struct{ first, second [2]int32 }
	ways := make([]way, len(d.adj))
	count := make([]int, len(d.adj))
	many, pairs := 0, 0
	var met []int32
	for u := range d.adj {
		for _, a := range d.adj[u] {
			count[a.to] = -1 // a neighbour
		}
		met = met[:0]
		for _, a := range d.adj[u] {
			for _, b := range d.adj[a.to] {
				w := b.to
				if w <= int32(u) || count[w] < 0 {
					continue
				}
				switch count[w]++; count[w] {
				case 1:
					met = append(met, w)
					ways[w].first = [2]int32{a.edge, b.edge}
				case 2:
					ways[w].second = [2]int32{a.edge, b.edge}
				}
			}
		}
		for _, w := range met {
			pairs++
			if count[w] > 2 {
				many++
			} else if count[w] == 2 {
				f(ways[w].first[0], ways[w].second[0], ways[w].first[1], ways[w].second[1])
			}
			count[w] = 0
		}
		for _, a := range d.adj[u] {
			count[a.to] = 0
		}
		if many > 16 && many*20 > pairs {
			return false
		}
	}
	return many*20 <= pairs
}

// dimOf is the dimension of an edge.
func (d *dimensioner) dimOf(edge int32) int32 { return d.dim[d.class[edge]] }
