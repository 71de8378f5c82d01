package topology

import "slices"

// join joins the classes of each dimension: those that go straight on from each
// other at two switches or more, and cross less often.
func (d *dimensioner) join() bool {
	straight := map[[2]int32]int{}
	m := newMeeting(len(d.adj))
	for v := range d.adj {
		m.look(d, int32(v))
		m.straight(func(a, b int32) { straight[pair(d.class[d.adj[v][a].edge], d.class[d.adj[v][b].edge])]++ })
	}
	crossing := d.crossings()
	s := newSets(len(d.sizes))
	for k, n := range straight {
		if n >= 2 && n > crossing[k] {
			s.join(k[0], k[1])
		}
	}
	return d.number(s, crossing)
}

// denseMost is the most classes of which pairs are counted in a plain table.
const denseMost = 1024

// crossings counts the squares that have edges of two classes.
func (d *dimensioner) crossings() map[[2]int32]int {
	counts := map[[2]int32]int{}
	n := int32(len(d.sizes))
	if n > denseMost {
		d.squares(func(a, b, _, _ int32) {
			if a, b := d.class[a], d.class[b]; a != b {
				counts[pair(a, b)]++
			}
		})
		return counts
	}
	table := make([]int, n*n)
	d.squares(func(a, b, _, _ int32) { table[d.class[a]*n+d.class[b]]++ })
	for a := range n {
		for b := range a {
			if both := table[a*n+b] + table[b*n+a]; both > 0 {
				counts[pair(a, b)] = both
			}
		}
	}
	return counts
}

func pair(a, b int32) [2]int32 { return [2]int32{min(a, b), max(a, b)} }

// meeting is which links of one switch go straight on from each other.
type meeting struct {
	near   []bool    // by vertex: a neighbour
	from   [][]int32 // by vertex: links of the switch that lead to it by two hops
	far    []int32   // those that have some
	degree int
	square []bool // by pair of links: in a square, or in one class
	free   []int  // by link: others that it has no square with
}

func newMeeting(vertices int) *meeting {
	return &meeting{near: make([]bool, vertices), from: make([][]int32, vertices)}
}

// look finds the squares at a switch.
func (m *meeting) look(d *dimensioner, v int32) {
	arcs := d.adj[v]
	m.degree = len(arcs)
	m.square = slices.Grow(m.square[:0], m.degree*m.degree)[:m.degree*m.degree]
	m.free = slices.Grow(m.free[:0], m.degree)[:m.degree]
	clear(m.square)
	clear(m.free)
	for _, a := range arcs {
		m.near[a.to] = true
	}
	for i, a := range arcs {
		for _, b := range d.adj[a.to] {
			if b.to == v || m.near[b.to] {
				continue
			}
			if len(m.from[b.to]) == 0 {
				m.far = append(m.far, b.to)
			}
			for _, j := range m.from[b.to] {
				m.square[int(j)*m.degree+i] = true
			}
			m.from[b.to] = append(m.from[b.to], int32(i))
		}
	}
	for _, w := range m.far {
		m.from[w] = m.from[w][:0]
	}
	m.far = m.far[:0]
	for i, a := range arcs {
		m.near[a.to] = false
		for j := range i {
			if m.square[j*m.degree+i] = m.square[j*m.degree+i] || d.class[a.edge] == d.class[arcs[j].edge]; !m.square[j*m.degree+i] {
				m.free[i]++
				m.free[j]++
			}
		}
	}
}

// straight calls f for the pairs of links that have no square with each other,
// and with all others. Beside something that is missing this is not so, and
// nothing can be said.
func (m *meeting) straight(f func(a, b int32)) {
	for i := range m.degree {
		for j := range i {
			if !m.square[j*m.degree+i] && m.free[i] == 1 && m.free[j] == 1 {
				f(int32(i), int32(j))
			}
		}
	}
}
