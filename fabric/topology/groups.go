package topology

// linksOf is the number of links between two joined vertices.
func (p *part) linksOf(e [2]int32) int {
	for _, a := range p.adj[e[0]] {
		if a.to == e[1] {
			return int(a.links)
		}
	}
	return 0
}

// components numbers, from 1, what is joined by the edges that keep says.
func (p *part) components(keep func(u, v int32) bool) (number []int32, count int) {
	number = make([]int32, len(p.adj))
	for start := range p.adj {
		if number[start] != 0 {
			continue
		}
		count++
		number[start] = int32(count)
		for queue := []int32{int32(start)}; len(queue) > 0; queue = queue[1:] {
			for _, a := range p.adj[queue[0]] {
				if number[a.to] == 0 && keep(queue[0], a.to) {
					number[a.to] = int32(count)
					queue = append(queue, a.to)
				}
			}
		}
	}
	return number, count
}

// dropGroups takes vertices out of their groups and numbers the rest anew.
func (p *part) dropGroups(drop func(v int32) bool) {
	again := map[int32]int32{}
	for v := range p.group {
		if drop(int32(v)) {
			p.group[v] = 0
			continue
		}
		if again[p.group[v]] == 0 {
			again[p.group[v]] = int32(len(again) + 1)
		}
		p.group[v] = again[p.group[v]]
	}
	p.Groups = len(again)
}
