package web

import (
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// keep is how long nodes and links stay on the map when they are gone.
const keep = 24 * time.Hour

// memory knows what was in a fabric, and since when it is not.
type memory struct {
	all   *fabric.Fabric // that was united last
	nodes map[ib.GUID]time.Time
	links map[ends]time.Time
}

// end is a port by its node's GUID, ends are the two of a link, the lesser one first.
type (
	end struct {
		node ib.GUID
		port int
	}
	ends [2]end
)

func endOf(p *fabric.Port) end { return end{p.Node().GUID(), p.Num()} }

func endsOf(a, b end) ends {
	if b.node < a.node || b.node == a.node && b.port < a.port {
		a, b = b, a
	}
	return ends{a, b}
}

// unite gives the fabric with what was there before and is gone, as long as it is
// kept, and as long as nothing else is in its place.
func (m *memory) unite(f *fabric.Fabric, at time.Time) *fabric.Fabric {
	before := m.all
	m.all = f
	if before == nil || before == f || f.NumNodes() == 0 {
		return f
	}
	m.forget(f, before, at)
	if len(m.nodes) == 0 && len(m.links) == 0 {
		return f
	}
	u := &union{b: fabric.NewBuilder(), of: map[*fabric.Node]*fabric.Node{}, byGUID: map[ib.GUID]*fabric.Node{}}
	for n := range f.Nodes() {
		u.add(n)
	}
	for n := range before.Nodes() {
		if _, gone := m.nodes[n.GUID()]; gone {
			u.add(n)
		}
	}
	for l := range f.Links() {
		u.link(l)
	}
	for l := range before.Links() {
		if _, gone := m.links[endsOf(endOf(l.A), endOf(l.B))]; gone {
			u.link(l)
		}
	}
	u.b.SetSweep(f.Sweep())
	m.all = u.b.Build()
	return m.all
}

// forget notes what has gone and what has gone too long ago.
func (m *memory) forget(f, before *fabric.Fabric, at time.Time) {
	nodes, links := map[ib.GUID]time.Time{}, map[ends]time.Time{}
	for n := range before.Nodes() {
		if _, there := f.NodeByGUID(n.GUID()); there {
			continue
		}
		if since := orNow(m.nodes[n.GUID()], at); at.Sub(since) < keep {
			nodes[n.GUID()] = since
		}
	}
	for l := range before.Links() {
		key := endsOf(endOf(l.A), endOf(l.B))
		if isUsed(f, key[0]) || isUsed(f, key[1]) || !isKept(f, nodes, key[0]) || !isKept(f, nodes, key[1]) {
			continue
		}
		if since := orNow(m.links[key], at); at.Sub(since) < keep {
			links[key] = since
		}
	}
	m.nodes, m.links = nodes, links
}

func orNow(t, now time.Time) time.Time {
	if t.IsZero() {
		return now
	}
	return t
}

// isUsed reports whether a port has a link.
func isUsed(f *fabric.Fabric, e end) bool {
	p := portOf(f, e)
	return p != nil && p.Remote() != nil
}

// isKept reports whether a node is there, or gone and kept.
func isKept(f *fabric.Fabric, gone map[ib.GUID]time.Time, e end) bool {
	if _, there := f.NodeByGUID(e.node); there {
		return true
	}
	_, kept := gone[e.node]
	return kept
}

func portOf(f *fabric.Fabric, e end) *fabric.Port {
	n, ok := f.NodeByGUID(e.node)
	if !ok {
		return nil
	}
	return n.Port(e.port)
}

// union puts nodes of two fabrics into one.
type union struct {
	b      *fabric.Builder
	of     map[*fabric.Node]*fabric.Node // by the node that was added
	byGUID map[ib.GUID]*fabric.Node
}

func (u *union) add(n *fabric.Node) {
	info := n.RawInfo()
	added := u.b.AddNode(&info)
	u.of[n] = added
	if _, there := u.byGUID[n.GUID()]; !there {
		u.byGUID[n.GUID()] = added
	}
	if n.HasDescription() {
		desc := n.RawDescription()
		u.b.SetDescription(added, &desc)
	}
	if sw, ok := n.RawSwitchInfo(); ok {
		u.b.SetSwitchInfo(added, &sw)
	}
	for p := range n.Ports() {
		q := u.b.Port(added, p.Num())
		u.b.SetPortGUID(q, p.GUID())
		set(p.RawInfo, q, u.b.SetPortInfo)
		set(p.RawExtendedInfo, q, u.b.SetExtendedPortInfo)
	}
}

// set copies an attribute of a port that has it.
func set(get func() ([mad.DataSize]byte, bool), to *fabric.Port, put func(*fabric.Port, *[mad.DataSize]byte)) {
	if data, ok := get(); ok {
		put(to, &data)
	}
}

// port is the one that stands for a port of either fabric, nil for none.
func (u *union) port(p *fabric.Port) *fabric.Port {
	n := u.of[p.Node()]
	if n == nil {
		n = u.byGUID[p.Node().GUID()]
	}
	if n == nil {
		return nil
	}
	return u.b.Port(n, p.Num())
}

func (u *union) link(l fabric.Link) {
	p, q := u.port(l.A), u.port(l.B)
	if p == nil || q == nil || p.Remote() != nil || q.Remote() != nil {
		return
	}
	u.b.Link(p, q)
}
