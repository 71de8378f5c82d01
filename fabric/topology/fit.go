package topology

// goodFit is the share of links that must be where a kind wants them.
const goodFit = 0.95

// fewLeaves is the share of switches with hosts below which the distance from
// the hosts tells little about the shape.
const fewLeaves = 0.15

// classify finds the kind of a part, its tiers, groups and coordinates.
func (p *part) classify() {
	p.Kind, p.Fit = Irregular, 0
	if len(p.adj) == 1 {
		p.single()
		return
	}
	switch {
	case p.withHosts() < fewLeaves && p.isDirect():
	case p.isTree():
	case p.isDirect():
	default:
		p.irregular()
	}
}

func (p *part) single() {
	p.Kind, p.Fit = SingleSwitch, 1
	p.fits = func(*part, [2]int32) bool { return true }
	p.tier, p.mirror = []int32{1}, []bool{false}
	p.group, p.maxTier = []int32{0}, 1
}

// withHosts is the share of switches that have hosts.
func (p *part) withHosts() float64 {
	count := 0
	for _, n := range p.hosts {
		if n > 0 {
			count++
		}
	}
	return float64(count) / float64(len(p.hosts))
}

// isDirect tries the kinds in which all switches are alike.
func (p *part) isDirect() bool {
	if !p.lattice() && !p.dragonfly() {
		return false
	}
	p.flat()
	return true
}

// flat puts all switches into tier 1.
func (p *part) flat() {
	p.tier, p.mirror, p.maxTier = make([]int32, len(p.adj)), make([]bool, len(p.adj)), 1
	for v := range p.tier {
		p.tier[v] = 1
		p.mirror[v] = p.hosts[v] == 0
	}
	if p.group == nil {
		p.group = make([]int32, len(p.adj))
	}
}

// irregular gives tiers by the distance from all hosts.
func (p *part) irregular() {
	p.Kind = Irregular
	leaves, _ := p.switchesWith(1)
	p.setTiers(leaves)
	p.group = make([]int32, len(p.adj))
	p.fits = joinsTiers
	p.setFit(p.misfits())
}

// joinsTiers reports whether an edge joins neighbouring tiers.
func joinsTiers(p *part, e [2]int32) bool {
	d := p.tier[e[0]] - p.tier[e[1]]
	return d == 1 || d == -1
}

func (p *part) setFit(odd, all int) {
	p.Misfits, p.Fit = odd, 1
	if all > 0 {
		p.Fit = float64(all-odd) / float64(all)
	}
}
