package hosttree

import (
	"cmp"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// grower makes the domains of a network from the leaves up.
type grower struct {
	*switches
	names *names
	used  map[ib.GUID]bool // switches that a domain is named for
	list  []growing        // domains without a parent so far, the lowest leaf first
}

// growing is a domain, and the switch by which it is found again.
type growing struct {
	*Domain
	leaf int32 // lowest of its leaves
}

// addHost puts a host below a leaf.
func (g *grower) addHost(leaf int32, host string) {
	at, found := slices.BinarySearchFunc(g.list, leaf, func(d growing, leaf int32) int { return cmp.Compare(d.leaf, leaf) })
	if !found {
		n := g.nodes[leaf]
		g.used[n.GUID()] = true
		g.list = slices.Insert(g.list, at, growing{&Domain{Name: g.names.of(n), Level: 1}, leaf})
	}
	g.list[at].Hosts = append(g.list[at].Hosts, host)
}

// grow puts the domains of each level below those of the next. A level at which
// nothing comes together is left out.
func (g *grower) grow() {
	for _, l := range g.levels {
		var next []growing
		at := map[int32]int{} // in next, by set
		for _, d := range g.list {
			set := l.find(d.leaf)
			k, ok := at[set]
			if !ok {
				k = len(next)
				at[set] = k
				next = append(next, growing{&Domain{}, d.leaf})
			}
			next[k].Children = append(next[k].Children, d.Domain)
			next[k].Level = max(next[k].Level, d.Level+1)
		}
		if len(next) < len(g.list) {
			g.name(next, l)
			g.list = next
		}
	}
}

// name names domains for the first of the switches, by GUID, that their level has
// added. Where it added none to join two domains the name is for the network to
// give, and one domain stays what it was.
func (g *grower) name(domains []growing, l level) {
	best := map[int32]*fabric.Node{}
	for _, n := range g.nodes {
		if at := g.top.Place(n); l.tier == 0 || !isSwitch(at) || at.Tier != l.tier || g.used[n.GUID()] {
			continue
		}
		set := l.find(int32(n.Index()))
		if best[set] == nil || n.GUID() < best[set].GUID() {
			best[set] = n
		}
	}
	for i := range domains {
		d := &domains[i]
		switch n := best[l.find(d.leaf)]; {
		case n != nil:
			g.used[n.GUID()] = true
			d.Name = g.names.of(n)
		case len(d.Children) == 1:
			d.Domain = d.Children[0]
		}
	}
}

// domains are the roots.
func (g *grower) domains() []*Domain {
	var roots []*Domain
	for _, d := range g.list {
		roots = append(roots, d.Domain)
	}
	return roots
}
