package source

import (
	"strings"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/agents"
	"github.com/ibscope/ibscope/sim/perf"
)

// restore gives a simulated fabric that comes from a snapshot what else the
// snapshot holds: multicast forwarding tables and counters. Linear forwarding
// tables are in the fabric itself. What the simulator does not have is left out.
func restore(s *sim.Fabric, a *agents.Agents, stored *snapshot.Snapshot) {
	if stored == nil {
		return
	}
	for sw, blocks := range stored.Multicast {
		for i := range blocks {
			masks := blocks[i].Masks
			// A switch that a fault has killed refuses it.
			_ = s.Direct(sim.Place{Node: sw}, mad.MethodSet, smp.AttrMulticastForwardingTable,
				smp.MFTModifier(blocks[i].Position, blocks[i].Block), &masks)
		}
	}
	names := counterNames(a.Counters)
	for i := range stored.Counters {
		c := &stored.Counters[i]
		for j, name := range c.Names {
			for _, counter := range names[name] {
				// Sums over all ports have no place of their own: an error then.
				_ = a.Counters.Set(sim.Place{Node: c.Node, Port: c.Port}, counter, c.Values[j])
			}
		}
	}
}

// counterNames are the simulator's counters by the names that snapshots have for
// them. Most are in two attributes, the first of which holds less.
func counterNames(c *perf.Counters) map[string][]string {
	known := map[string]bool{}
	for _, name := range c.Names() {
		known[strings.ToLower(name)] = true
	}
	names := map[string][]string{}
	for counter := range counters.All.All() {
		for _, attribute := range []string{"PortCounters.", "PortCountersExtended."} {
			if name := attribute + counter.String(); known[strings.ToLower(name)] {
				names[counter.Field()] = append(names[counter.Field()], name)
			}
		}
	}
	return names
}
