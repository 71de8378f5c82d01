package topology

import "slices"

// dragonfly reports whether the switches form groups in which nearly all are
// joined, and any two groups are joined. Two of one group have most of their
// neighbours in common, two of different groups have few.
func (p *part) dragonfly() bool {
	common, most := p.commonNeighbours()
	return p.cliques(func(u, v int32) bool {
		c := 2 * common(u, v)
		return c > most[u] && c > most[v]
	}) || p.cliques(func(u, v int32) bool { // a small group that lost a link has few in common
		c := 2 * common(u, v)
		return c > 0 && c >= most[u] && c >= most[v]
	})
}

// cliques reports whether the switches that are near each other form groups.
func (p *part) cliques(near func(u, v int32) bool) bool {
	p.group, p.Groups = p.components(near)
	p.adopt()
	if p.Groups < 2 || p.Groups > len(p.adj)/2 {
		p.group, p.Groups = nil, 0
		return false
	}
	p.fits = func(*part, [2]int32) bool { return true } // within groups and between: what counts is that they are whole
	p.setFit(p.misfits())
	if !p.wholeGroups() || !p.joinedGroups() {
		p.group, p.Groups = nil, 0
		return false
	}
	p.Kind = Dragonfly
	return true
}

// adopt gives switches that lost too many links to be near others to the group that
// they have most links to, if these are two at least.
func (p *part) adopt() {
	size := p.groupSizes()
	usual := slices.Sorted(slices.Values(size[1:]))[len(size[1:])/2]
	for v := range p.adj {
		if 3*size[p.group[v]] > usual {
			continue
		}
		links := map[int32]int{}
		for _, a := range p.adj[v] {
			links[p.group[a.to]]++
		}
		best, most := int32(0), 1
		for g, n := range links {
			if n > most || n == most && best != 0 && g < best {
				best, most = g, n
			}
		}
		if best != 0 && best != p.group[v] && size[best] > size[p.group[v]] {
			size[best]++
			size[p.group[v]]--
			p.group[v] = best
		}
	}
	p.dropGroups(func(int32) bool { return false })
}

// groupSizes is the number of switches by group, from 1.
func (p *part) groupSizes() []int {
	size := make([]int, p.Groups+1)
	for _, g := range p.group {
		size[g]++
	}
	return size
}

// wholeGroups reports whether nearly all switches of a group are joined.
func (p *part) wholeGroups() bool {
	size := p.groupSizes()
	want, have := 0, 0
	for _, n := range size {
		want += n * (n - 1) / 2
	}
	for _, e := range p.edges {
		if p.group[e[0]] == p.group[e[1]] {
			have++
		}
	}
	return 10*have >= 9*want
}

// commonNeighbours gives the number of neighbours that two joined switches have
// in common, and the most that each has with any.
func (p *part) commonNeighbours() (common func(u, v int32) int32, most []int32) {
	counts := make([]int32, len(p.edges))
	most = make([]int32, len(p.adj))
	byPair := make(map[[2]int32]int32, len(p.edges))
	p.triangles(func(a, b, c int32) {
		counts[a]++
		counts[b]++
		counts[c]++
	})
	for i, e := range p.edges {
		byPair[e] = counts[i]
		most[e[0]], most[e[1]] = max(most[e[0]], counts[i]), max(most[e[1]], counts[i])
	}
	return func(u, v int32) int32 { return byPair[[2]int32{min(u, v), max(u, v)}] }, most
}

// triangles calls f with the edges of each triangle, once.
func (p *part) triangles(f func(a, b, c int32)) {
	mark := make([]int32, len(p.adj)) // edge to u plus 1
	for u := range p.adj {
		for _, a := range p.adj[u] {
			mark[a.to] = a.edge + 1
		}
		for _, a := range p.adj[u] {
			if a.to < int32(u) {
				continue
			}
			for _, b := range p.adj[a.to] {
				if b.to > a.to && mark[b.to] != 0 {
					f(a.edge, b.edge, mark[b.to]-1)
				}
			}
		}
		for _, a := range p.adj[u] {
			mark[a.to] = 0
		}
	}
}
