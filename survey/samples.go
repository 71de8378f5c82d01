package survey

import (
	"slices"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/format/snapshot"
)

// Samples gives the counters in a snapshot as package counters has them, in the
// order of the snapshot. Sums over all ports are left out, and counters that the
// package does not know.
func Samples(s *snapshot.Snapshot) []counters.Sample {
	fields := map[string]counters.Counter{}
	for c := range counters.All.All() {
		fields[c.Field()] = c
	}
	var list []counters.Sample
	for i := range s.Counters {
		p := &s.Counters[i]
		if p.Node == nil || p.Port > p.Node.NumPorts() {
			continue
		}
		sample := counters.Sample{
			Node: p.Node, Num: p.Port, Before: p.Before, After: p.After,
			Agent: counters.Agent{Known: p.HasMasks, CapMask: p.CapMask, CapMask2: p.CapMask2},
		}
		for j, name := range p.Names[:min(len(p.Names), len(p.Values))] {
			c, ok := fields[name]
			if !ok {
				continue
			}
			sample.Values[c] = p.Values[j]
			sample.Has |= counters.SetOf(c)
			if slices.Contains(p.Saturated, name) {
				sample.Saturated |= counters.SetOf(c)
			}
		}
		list = append(list, sample)
	}
	return list
}
