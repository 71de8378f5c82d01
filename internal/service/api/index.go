package api

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/model"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/fabric/verify"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/watch"
)

// index is what is worked out of a fabric once, for all answers about it. It is
// immutable, but for what is computed when it is asked for.
type index struct {
	fabric     *fabric.Fabric
	generation uint64 // of the name map

	name     func(*fabric.Node) string
	topology *topology.Topology
	hosts    map[int]string // names of machines by number
	nodes    []*fabric.Node // by fabric.Node.Index
	links    []fabric.Link
	linkOf   map[*fabric.Port]int // index into links, of both ends
	search   []string             // by fabric.Node.Index: what a search looks at
	counts   Counts               // what depends on the fabric alone

	lookup    func() func(name string) []*fabric.Node // the nodes that a name may mean; made when it is asked for
	routes    sync.Once                               // computes tables, for who asks the way where none were read
	computed  *route.Tables
	routesErr error
}

// indexOf gives the index of a state whose fabric is known. It is made anew when the
// fabric or the name map is another one: sweeps that find nothing new do not cost much.
func (a *API) indexOf(s *watch.State) *index {
	own, generation := a.o.Names(s.Name)
	a.mu.Lock()
	m := a.memory(s.Name)
	x := m.index
	a.mu.Unlock()
	if x != nil && x.fabric == s.Fabric && x.generation == generation {
		return x
	}
	x = newIndex(s.Fabric, own)
	x.generation = generation
	a.mu.Lock()
	defer a.mu.Unlock()
	m.index = x
	return x
}

// Prepare works out what answers about the present states need, and forgets what was
// worked out of fabrics that are gone. Who calls it after each sweep spares the first
// client the wait.
func (a *API) Prepare() {
	states := a.o.States()
	for _, s := range states {
		if s.Fabric != nil {
			a.indexOf(s)
			a.checked(s)
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	maps.DeleteFunc(a.known, func(name string, _ *memory) bool {
		return !slices.ContainsFunc(states, func(s *watch.State) bool { return s.Name == name })
	})
}

func newIndex(f *fabric.Fabric, own func(*fabric.Node) (string, bool)) *index {
	x := &index{
		fabric: f, name: verify.Names(f, own), lookup: sync.OnceValue(func() func(string) []*fabric.Node { return verify.Lookup(f, own) }), topology: topology.Classify(f, nil),
		hosts: map[int]string{}, nodes: slices.Collect(f.Nodes()), links: slices.Collect(f.Links()), linkOf: map[*fabric.Port]int{},
	}
	for i := range x.topology.Hosts {
		h := &x.topology.Hosts[i]
		x.hosts[h.Number] = h.Name
	}
	for i, l := range x.links {
		x.linkOf[l.B] = i
		x.linkOf[l.A] = i
	}
	for _, n := range x.nodes {
		x.search = append(x.search, x.searchText(n))
	}
	x.count()
	return x
}

// newNames is an index that can name places, and no more.
func newNames(f *fabric.Fabric, own func(*fabric.Node) (string, bool)) *index {
	return &index{fabric: f, name: verify.Names(f, own)}
}

// searchText is what a search looks at, in small letters. Parts are apart by a NUL,
// which no word of a search has.
func (x *index) searchText(n *fabric.Node) string {
	info := n.Info()
	parts := []string{x.name(n), n.Description(), n.GUID().String(), info.SystemImageGUID.String(), model.Name(info.VendorID, info.DeviceID)}
	for p := range n.Ports() {
		if p.GUID() != n.GUID() && (p.Num() > 0 && n.Type() != ib.NodeSwitch) {
			parts = append(parts, p.GUID().String())
		}
	}
	return strings.ToLower(strings.Join(parts, "\x00"))
}

func (x *index) count() {
	c := &x.counts
	c.Nodes, c.Links, c.Problems = x.fabric.NumNodes(), len(x.links), len(x.fabric.Problems())
	for _, n := range x.nodes {
		switch n.Type() {
		case ib.NodeCA:
			c.CAs++
		case ib.NodeSwitch:
			c.Switches++
		case ib.NodeRouter:
			c.Routers++
		}
	}
	for i := range x.topology.Hosts {
		if x.topology.Hosts[i].Role.IsHost() {
			c.Hosts++
		}
	}
	for _, l := range x.links {
		if l.IsDegraded() {
			c.DegradedLinks++
		}
		if s := stateOf(l); s != ib.PortActive && s != ib.PortNoChange {
			c.InactiveLinks++
		}
	}
}

// place is where a node stands in the topology.
func (x *index) place(n *fabric.Node) *topology.Place { return &x.topology.Places[n.Index()] }

// tier is that of a node, 0 for hosts; false where it is not known.
func (x *index) tier(n *fabric.Node) (int, bool) {
	p := x.place(n)
	if n.Type() == ib.NodeSwitch {
		return p.Tier, p.Tier > 0
	}
	return 0, true
}

// linkID names a link by its end a.
func linkID(l fabric.Link) string {
	return fmt.Sprintf("%016x-%d", uint64(l.A.Node().GUID()), l.A.Num())
}

// linkIDOf is the ID of the link of a port, "" for none.
func (x *index) linkIDOf(p *fabric.Port) string {
	if i, ok := x.linkOf[p]; ok {
		return linkID(x.links[i])
	}
	return ""
}

// stateOf is the state of the end of a link that is less far.
func stateOf(l fabric.Link) ib.PortState {
	a, b := l.A.State(), l.B.State()
	if a == ib.PortNoChange || b != ib.PortNoChange && b < a {
		return b
	}
	return a
}

// physStateOf is the physical state of the same end.
func physStateOf(l fabric.Link) ib.PhysState {
	if s := stateOf(l); s == l.B.State() && s != l.A.State() {
		return l.B.PhysState()
	}
	return l.A.PhysState()
}
