package hosttree

import "github.com/ibscope/ibscope/fabric"

// leaves finds the leaf of each machine among its links in a network: the one it is
// on with its first rail, or the one where most of its neighbours are.
func leaves(nodes []*fabric.Node, machines []*machine, parts map[int]bool, rail int) []int32 {
	if rail == 0 {
		rail = firstRail(machines, parts)
	}
	leaf := make([]int32, len(machines))
	neighbours := map[int32]map[int32]int{} // by switch: machines on it, by their leaf
	for i, m := range machines {
		leaf[i] = m.mostLinks(parts, rail)
		if leaf[i] < 0 {
			continue
		}
		for _, l := range m.links {
			if parts[l.part] {
				if neighbours[l.sw] == nil {
					neighbours[l.sw] = map[int32]int{}
				}
				neighbours[l.sw][leaf[i]]++
			}
		}
	}
	for i, m := range machines {
		if leaf[i] >= 0 {
			continue
		}
		leaf[i] = m.whereNeighboursAre(nodes, parts, neighbours)
		if leaf[i] < 0 {
			leaf[i] = m.mostLinks(parts, 0)
		}
	}
	return leaf
}

// firstRail is the lowest rail that a machine is on, 0 where there are none.
func firstRail(machines []*machine, parts map[int]bool) int {
	first := 0
	for _, m := range machines {
		for _, l := range m.links {
			if parts[l.part] && l.rail > 0 && (first == 0 || l.rail < first) {
				first = l.rail
			}
		}
	}
	return first
}

// mostLinks is the switch with the most links of a rail, 0 for all rails, to a
// machine; of several the first in the order of adapters; -1 for none.
func (m *machine) mostLinks(parts map[int]bool, rail int) int32 {
	count := map[int32]int{}
	best := int32(-1)
	for _, l := range m.links {
		if parts[l.part] && (rail == 0 || l.rail == rail) {
			count[l.sw]++
		}
	}
	for _, l := range m.links {
		if count[l.sw] > 0 && (best < 0 || count[l.sw] > count[best]) {
			best = l.sw
		}
	}
	return best
}

// whereNeighboursAre is the leaf that most of those have who share switches with a
// machine, of several the one with the lowest GUID; -1 for none.
func (m *machine) whereNeighboursAre(nodes []*fabric.Node, parts map[int]bool, neighbours map[int32]map[int32]int) int32 {
	votes := map[int32]int{}
	for _, l := range m.links {
		if parts[l.part] {
			for leaf, n := range neighbours[l.sw] {
				votes[leaf] += n
			}
		}
	}
	best := int32(-1)
	for leaf, n := range votes {
		if best < 0 || n > votes[best] || n == votes[best] && nodes[leaf].GUID() < nodes[best].GUID() {
			best = leaf
		}
	}
	return best
}
