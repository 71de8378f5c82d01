package hosttree

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
)

// switches are the switches of a fabric, and which of them are one domain at each
// level, by index among the nodes.
type switches struct {
	f      *fabric.Fabric
	top    *topology.Topology
	nodes  []*fabric.Node
	levels []level // from the second; the last is that of whole parts
}

// level is which switches are one domain.
type level struct {
	sets
	tier int // of the switches that it adds to the one below, 0 for none
}

// newSwitches joins, for each tier from 2, what hangs together by links between
// different tiers up to it; and last what hangs together at all. In a dragonfly,
// whose switches are all of one tier, groups are in between.
func newSwitches(in Input) *switches {
	s := &switches{f: in.Fabric, top: in.Topology, nodes: make([]*fabric.Node, 0, in.Fabric.NumNodes())}
	for n := range in.Fabric.Nodes() {
		s.nodes = append(s.nodes, n)
	}
	tiers := 1
	for _, p := range in.Topology.Places {
		tiers = max(tiers, p.Tier)
	}
	if group := s.groups(); group != nil {
		s.levels = append(s.levels, level{group, 0})
	}
	for tier := 2; tier <= tiers; tier++ {
		s.levels = append(s.levels, level{s.join(func(a, b *topology.Place) bool {
			return a.Tier != b.Tier && a.Tier > 0 && b.Tier > 0 && a.Tier <= tier && b.Tier <= tier
		}), tier})
	}
	s.levels = append(s.levels, level{s.join(func(_, _ *topology.Place) bool { return true }), 0})
	return s
}

// join joins the switches at the ends of the links that keep says.
func (s *switches) join(keep func(a, b *topology.Place) bool) sets {
	joined := newSets(len(s.nodes))
	for l := range s.f.Links() {
		a, b := s.top.Place(l.A.Node()), s.top.Place(l.B.Node())
		if isSwitch(a) && isSwitch(b) && keep(a, b) {
			joined.join(int32(l.A.Node().Index()), int32(l.B.Node().Index()))
		}
	}
	return joined
}

func isSwitch(p *topology.Place) bool {
	switch p.Role {
	case topology.RoleLeaf, topology.RoleSpine, topology.RoleCore, topology.RoleSwitch:
		return true
	}
	return false
}

// groups joins the groups of dragonflies; nil where there are none.
func (s *switches) groups() sets {
	first := map[[2]int]int32{} // by part and group
	joined := newSets(len(s.nodes))
	for i := range s.top.Places {
		p := &s.top.Places[i]
		if p.Part == 0 || p.Group == 0 || !isSwitch(p) || s.top.Parts[p.Part-1].Kind != topology.Dragonfly {
			continue
		}
		key := [2]int{p.Part, p.Group}
		if at, ok := first[key]; ok {
			joined.join(at, int32(i))
		} else {
			first[key] = int32(i)
		}
	}
	if len(first) == 0 {
		return nil
	}
	return joined
}

// sets are disjoint sets of numbers; the lowest of a set stands for it.
type sets []int32

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

func (s sets) find(i int32) int32 {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

func (s sets) join(a, b int32) {
	a, b = s.find(a), s.find(b)
	s[max(a, b)] = min(a, b)
}
