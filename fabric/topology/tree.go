package topology

// isTree tries the kinds that have more than one tier, and keeps what fits best.
func (p *part) isTree() bool {
	var best *part
	for _, leaves := range p.leafSets() {
		best = better(best, p.treeOver(leaves))
	}
	if p.withHosts() < fewLeaves && (best == nil || best.Misfits > 0) {
		// So few hosts that one on a spine turns the picture: ask them one by one.
		all, _ := p.switchesWith(1)
		for _, v := range all[:min(len(all), mostAsked)] {
			best = better(best, p.treeOver([]int32{v}))
		}
	}
	if best == nil {
		return false
	}
	*p = *best
	return true
}

// mostAsked bounds how many switches are tried as the only leaf.
const mostAsked = 8

// treeOver is the part as a tree over these leaves, nil if it is none.
func (p *part) treeOver(leaves []int32) *part {
	tree := *p
	tree.foldDown(tree.setTiers(leaves))
	if tree.maxTier < 2 {
		return nil
	}
	groups := tree
	isTree := tree.fatTree()
	if (!isTree || tree.Misfits > 0) && groups.dragonflyPlus() && (!isTree || groups.Misfits < tree.Misfits) {
		return &groups
	}
	if !isTree {
		return nil
	}
	return &tree
}

// better is the one of two that fits better. Of equals it is the fat tree, and
// then the one with more hosts on its leaves.
func better(a, b *part) *part {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.Kind != b.Kind && b.Kind == FatTree && b.Misfits <= a.Misfits:
		return b
	case b.Fit > a.Fit+0.01:
		return b
	case a.Kind == b.Kind && b.Fit >= a.Fit && b.onLeaves() > a.onLeaves():
		return b
	}
	return a
}

// onLeaves is the number of links to hosts that are on tier 1.
func (p *part) onLeaves() (n int) {
	for v, t := range p.tier {
		if t == 1 {
			n += int(p.hosts[v])
		}
	}
	return n
}

// fatTree reports whether the links join neighbouring tiers.
func (p *part) fatTree() bool {
	p.fits = joinsTiers
	p.setFit(p.misfits())
	if p.Fit < goodFit {
		return false
	}
	p.Kind = FatTree
	p.group = make([]int32, len(p.adj))
	if p.maxTier >= 3 {
		// What stays together without the top switches is a pod.
		p.group, p.Groups = p.components(func(u, v int32) bool { return p.tier[u] != p.maxTier && p.tier[v] != p.maxTier })
		p.dropGroups(func(v int32) bool { return p.tier[v] == p.maxTier })
		if p.Groups < 2 {
			p.group, p.Groups = make([]int32, len(p.adj)), 0
		}
	}
	return true
}

// dragonflyPlus reports whether the switches form groups of leaves and spines,
// joined by their spines.
func (p *part) dragonflyPlus() bool {
	if p.maxTier != 2 {
		return false
	}
	p.group, p.Groups = p.components(func(u, v int32) bool { return p.tier[u] != p.tier[v] })
	if p.Groups < 2 || p.Groups > len(p.adj)/2 {
		return false
	}
	p.fits = func(p *part, e [2]int32) bool {
		if p.group[e[0]] == p.group[e[1]] {
			return p.tier[e[0]] != p.tier[e[1]]
		}
		return p.tier[e[0]] == 2 && p.tier[e[1]] == 2
	}
	p.setFit(p.misfits())
	p.Kind = DragonflyPlus
	return p.Fit >= goodFit && p.joinedGroups()
}

// joinedGroups reports whether most pairs of groups have a link.
func (p *part) joinedGroups() bool {
	pairs := map[[2]int32]bool{}
	for _, e := range p.edges {
		if a, b := p.group[e[0]], p.group[e[1]]; a != b {
			pairs[[2]int32{min(a, b), max(a, b)}] = true
		}
	}
	return 4*len(pairs) >= 3*p.Groups*(p.Groups-1)/2
}
