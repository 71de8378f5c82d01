package links

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
)

// places knows the tiers of nodes.
type places struct{ topology *topology.Topology }

// lower is the lower tier of a link's ends, which is 0 of links to hosts; false
// where it is not known.
func (p places) lower(link fabric.Link) (int, bool) {
	if link.B == nil {
		return 0, false
	}
	a, knownA := p.tier(link.A.Node())
	b, knownB := p.tier(link.B.Node())
	return min(a, b), knownA && knownB
}

// tier is that of a node: of hosts 0, of a switch that no host can be reached from
// not known.
func (p places) tier(n *fabric.Node) (int, bool) {
	t := p.topology.Place(n).Tier
	return t, t > 0 || n.Type() != ib.NodeSwitch
}
