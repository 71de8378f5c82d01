package topology

import "slices"

// setTiers counts tiers from some switches with hosts, which are tier 1: the
// others are one above the nearest of these. It gives the others in the order of
// their distance.
func (p *part) setTiers(leaves []int32) (beyond []int32) {
	p.tier, p.mirror = make([]int32, len(p.adj)), make([]bool, len(p.adj))
	for _, v := range leaves {
		p.tier[v] = 1
	}
	queue, sources := slices.Clone(leaves), len(leaves)
	for i := 0; i < len(queue); i++ {
		for _, a := range p.adj[queue[i]] {
			if p.tier[a.to] == 0 {
				p.tier[a.to] = p.tier[queue[i]] + 1
				queue = append(queue, a.to)
			}
		}
	}
	p.countTiers()
	return queue[sources:]
}

func (p *part) countTiers() {
	p.maxTier = 0
	for _, t := range p.tier {
		p.maxTier = max(p.maxTier, t)
	}
}

// foldDown corrects the tiers of switches that are further away than they are
// high: a leaf without hosts is two hops beyond the leaves with hosts, but is
// linked up like them. order is that of the distance.
func (p *part) foldDown(order []int32) {
	distance := slices.Clone(p.tier)
	for _, v := range order {
		if distance[v] < 3 {
			continue
		}
		low, folded := int32(0), true // the lowest tier of those on the way here, all folded
		for _, a := range p.adj[v] {
			if distance[a.to] < distance[v] {
				folded = folded && p.mirror[a.to]
				if low == 0 || p.tier[a.to] < low {
					low = p.tier[a.to]
				}
			}
		}
		if p.hasSibling(v, distance) || folded {
			p.tier[v], p.mirror[v] = max(1, low-1), true
		}
	}
	p.countTiers()
}

// Bounds of the search for siblings, and how much of the links of two must lead
// to the same switches.
const (
	siblingsAsked = 64
	siblingParts  = 3
	siblingWhole  = 5
)

// hasSibling reports whether there is a switch two nearer to the hosts that has
// the same switches above it as v has before it.
func (p *part) hasSibling(v int32, distance []int32) bool {
	before := map[int32]int32{}
	total := int32(0)
	for _, a := range p.adj[v] {
		if distance[a.to] < distance[v] {
			before[a.to] = a.links
			total += a.links
		}
	}
	asked := 0
	for _, a := range p.adj[v] {
		if before[a.to] == 0 {
			continue
		}
		for _, b := range p.adj[a.to] {
			if distance[b.to] != distance[v]-2 {
				continue
			}
			if p.looksAlike(b.to, before, total, distance) {
				return true
			}
			if asked++; asked%(siblingsAsked/4) == 0 {
				break // the next one's
			}
		}
		if asked >= siblingsAsked {
			return false
		}
	}
	return false
}

// looksAlike compares the links of u to what is one further away with those of
// another switch, of which there are total.
func (p *part) looksAlike(u int32, before map[int32]int32, total int32, distance []int32) bool {
	common, ups := int32(0), int32(0)
	for _, a := range p.adj[u] {
		if distance[a.to] == distance[u]+1 {
			ups += a.links
			common += min(a.links, before[a.to])
		}
	}
	return common*siblingWhole >= (ups+total-common)*siblingParts
}

// misfits counts the links that are not where the kind wants them, and all.
func (p *part) misfits() (odd, all int) {
	for _, e := range p.edges {
		links := p.linksOf(e)
		all += links
		if !p.fits(p, e) {
			odd += links
		}
	}
	return odd, all
}

// leafSets are the switches that may be the leaves: all that have hosts, or those
// that have enough of what is usual, for a few hosts may be on a spine.
func (p *part) leafSets() [][]int32 {
	var counts []int32
	for _, n := range p.hosts {
		if n > 0 {
			counts = append(counts, n)
		}
	}
	if len(counts) == 0 {
		return nil
	}
	slices.Sort(counts)
	usual := counts[len(counts)/2]
	var list [][]int32
	for _, least := range slices.Compact([]int32{1, max(1, (usual+4)/5), max(1, (usual+1)/2)}) {
		if leaves, links := p.switchesWith(least); 10*links >= 9*p.Adapters {
			list = append(list, leaves)
		}
	}
	return list
}

// switchesWith are the switches with at least that many links to hosts, and how
// many these have.
func (p *part) switchesWith(least int32) (list []int32, links int) {
	for v, n := range p.hosts {
		if n >= least {
			list = append(list, int32(v))
			links += int(n)
		}
	}
	return list, links
}
