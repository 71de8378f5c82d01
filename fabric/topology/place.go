package topology

import (
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// place tells the switches what their parts found, and sums up the tiers.
func (c *classifier) place() {
	for _, p := range c.parts {
		for v, at := range p.global {
			for _, n := range c.g.members[at] {
				p.placeSwitch(c.Place(n), v)
			}
		}
	}
	c.sumTiers()
}

func (p *part) placeSwitch(at *Place, v int) {
	at.Part, at.Tier, at.Group = p.Number, int(p.tier[v]), int(p.group[v])
	at.Role = tierRole(at.Tier, int(p.maxTier))
	at.Root = p.isRoot(v)
	if p.Kind.isLattice() && p.coords[v] != nil {
		at.Coords = slices.Clone(p.coords[v])
	}
	switch {
	case at.Tier == 0:
		at.Reason = Reason{Evidence: ByNodeType}
	case p.mirror[v]:
		at.Reason = Reason{Evidence: BySibling}
	case at.Tier == 1:
		at.Reason = Reason{Evidence: ByHosts, Count: int(p.hosts[v])}
	default:
		at.Reason = Reason{Evidence: ByDistance, Count: at.Tier - 1}
	}
}

// isRoot reports whether nothing leads up from a switch of a tree.
func (p *part) isRoot(v int) bool {
	if p.Kind != FatTree && p.Kind != SingleSwitch {
		return false
	}
	for _, a := range p.adj[v] {
		if p.tier[a.to] > p.tier[v] {
			return false
		}
	}
	return true
}

// sums are what is counted for one part.
type sums struct {
	tiers   []Tier // by tier
	unknown []bool // some rate is not known
	between map[[2]int]*TierLinks
}

// sumTiers counts switches and links by tiers.
func (c *classifier) sumTiers() {
	all := make([]sums, len(c.parts))
	for i, p := range c.parts {
		s := &all[i]
		s.tiers, s.unknown = make([]Tier, p.maxTier+1), make([]bool, p.maxTier+1)
		s.between = map[[2]int]*TierLinks{}
		for v := range p.adj {
			t := &s.tiers[p.tier[v]]
			t.Switches++
			if p.isRoot(v) {
				t.Roots++
			}
		}
	}
	for l := range c.f.Links() {
		c.sumLink(l, all)
	}
	for i, p := range c.parts {
		p.closeTiers(&all[i])
	}
}

// sumLink counts one link.
func (c *classifier) sumLink(l fabric.Link, all []sums) {
	a, b := c.g.vertex[l.A.Node().Index()], c.g.vertex[l.B.Node().Index()]
	rate := gbps(l.A)
	switch {
	case a < 0 && b < 0 || a == b:
	case a < 0:
		c.sumHost(l.A.Node(), b, rate, all)
	case b < 0:
		c.sumHost(l.B.Node(), a, rate, all)
	case c.g.part[a] == c.g.part[b]:
		p := c.g.part[a]
		p.sumSwitches(&all[p.Number-1], c.g.local[a], c.g.local[b], rate)
		p.noteOdd(l, c.g.local[a], c.g.local[b])
	}
}

func (c *classifier) sumHost(n *fabric.Node, v int32, rate float64, all []sums) {
	if !c.Place(n).Role.IsHost() {
		return
	}
	p := c.g.part[v]
	s := &all[p.Number-1]
	tier := p.tier[c.g.local[v]]
	s.tiers[tier].HostLinks++
	s.tiers[tier].DownGbps += rate
	s.unknown[tier] = s.unknown[tier] || rate == 0
}

func (p *part) sumSwitches(s *sums, u, v int32, rate float64) {
	low, high := min(p.tier[u], p.tier[v]), max(p.tier[u], p.tier[v])
	key := [2]int{int(low), int(high)}
	if s.between[key] == nil {
		s.between[key] = &TierLinks{Low: int(low), High: int(high)}
	}
	s.between[key].Links++
	s.between[key].Gbps += rate
	if low == high {
		return
	}
	s.tiers[low].UpLinks++
	s.tiers[low].UpGbps += rate
	s.tiers[high].DownLinks++
	s.tiers[high].DownGbps += rate
	s.unknown[low] = s.unknown[low] || rate == 0
	s.unknown[high] = s.unknown[high] || rate == 0
}

// noteOdd keeps a link that does not fit, as far as there is room.
func (p *part) noteOdd(l fabric.Link, u, v int32) {
	if len(p.Odd) >= maxOdd || p.fits(p, [2]int32{min(u, v), max(u, v)}) {
		return
	}
	p.Odd = append(p.Odd, Odd{
		A: l.A.Node().GUID(), APort: l.A.Num(), B: l.B.Node().GUID(), BPort: l.B.Num(),
		Tiers: [2]int{int(p.tier[u]), int(p.tier[v])},
	})
}

// closeTiers writes the sums into the part, the tiers that have switches only.
func (p *part) closeTiers(s *sums) {
	p.Tiers = []Tier{}
	for i, t := range s.tiers {
		if t.Switches == 0 {
			continue
		}
		t.Tier, t.Role = i, tierRole(i, int(p.maxTier))
		switch {
		case t.UpLinks == 0:
		case s.unknown[i] || t.UpGbps == 0:
			t.Oversubscription = float64(t.HostLinks+t.DownLinks) / float64(t.UpLinks)
		default:
			t.Oversubscription = t.DownGbps / t.UpGbps
		}
		p.Tiers = append(p.Tiers, t)
	}
	for low := 0; low <= int(p.maxTier); low++ {
		for high := low; high <= int(p.maxTier); high++ {
			if links := s.between[[2]int{low, high}]; links != nil {
				p.Links = append(p.Links, *links)
			}
		}
	}
}

// gbps is the rate that a port runs at, 0 where it is not known.
func gbps(p *fabric.Port) float64 {
	rate := p.Active()
	return ib.RateGbps(rate.Width, rate.Speed)
}
