package watch

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// merge is what is known after a sweep that ended early. What the sweep has found is
// so. Of what it has not, known is believed where the sweep did not come to ask:
//
//   - A node is kept if a way leads to it, from what was found, over known links whose
//     near end was not asked who is behind it. One whose neighbours told that their links
//     are down, or lead elsewhere, or behind which nobody answered, is gone.
//   - Attributes that were not read are those of before.
//
// Problems are those of the sweep, so that the next one asks again, and those of the
// nodes that were kept.
func merge(known, found *fabric.Fabric) *fabric.Fabric {
	if known == nil {
		known = fabric.NewBuilder().Build()
	}
	if found.NumNodes() == 0 {
		return known
	}
	m := merger{known: known, found: found, b: fabric.NewBuilder(), of: map[*fabric.Node]*fabric.Node{}, unasked: map[place]bool{}}
	for _, p := range found.Problems() {
		if p.Kind == fabric.NotFinished && p.Port >= 0 {
			m.unasked[place{p.GUID, p.Port}] = true
		}
	}
	for n := range found.Nodes() {
		m.add(n)
	}
	m.keep()
	for n := range found.Nodes() {
		m.links(n)
	}
	m.knownLinks()
	if s := found.Start(); s != nil {
		m.b.SetStart(m.port(s))
	}
	m.problems()
	m.b.SetSweep(found.Sweep())
	return m.b.Build()
}

type merger struct {
	known, found *fabric.Fabric
	b            *fabric.Builder
	of           map[*fabric.Node]*fabric.Node // what nodes of both have become
	kept         []*fabric.Node                // of known, that were not found
	unasked      map[place]bool                // ports that were found to be up, and no more
}

type place struct {
	guid ib.GUID
	port int
}

// port is what a port of either fabric has become; nil if its node is not there.
func (m *merger) port(p *fabric.Port) *fabric.Port {
	n := m.of[p.Node()]
	if n == nil {
		return nil
	}
	return m.b.Port(n, p.Num())
}

// add copies a node without its links.
func (m *merger) add(n *fabric.Node) {
	to := m.b.AddNode(n.InfoBytes())
	m.of[n] = to
	before := m.before(n)
	if before != nil {
		m.of[before] = to
	}
	if path, ok := n.Path(); ok {
		m.b.SetPath(to, path)
	}
	for _, from := range []*fabric.Node{before, n} { // the latter counts
		if from == nil {
			continue
		}
		if from.HasDescription() {
			m.b.SetDescription(to, from.DescriptionBytes())
		}
		if info := from.SwitchInfoBytes(); info != nil {
			m.b.SetSwitchInfo(to, info)
		}
		if table := from.LFT(); table != nil {
			m.b.SetLFT(to, table)
		}
		for p := range from.Ports() {
			m.addPort(m.b.Port(to, p.Num()), p)
		}
	}
}

func (m *merger) addPort(to, from *fabric.Port) {
	m.b.SetPortGUID(to, from.GUID())
	if info := from.InfoBytes(); info != nil {
		m.b.SetPortInfo(to, info)
		m.b.SetInfoOrder(to, from.InfoOrder())
	}
	if ext := from.ExtendedInfoBytes(); ext != nil {
		m.b.SetExtendedPortInfo(to, ext)
	}
}

// before is the node that a found one was, nil if it is new or not alone with its GUID.
func (m *merger) before(n *fabric.Node) *fabric.Node {
	old, ok := m.known.NodeByGUID(n.GUID())
	if !ok || m.of[old] != nil || old.Type() != n.Type() || old.NumPorts() != n.NumPorts() {
		return nil
	}
	return old
}

// isOpen reports whether it was not asked who is behind a port of the known fabric.
func (m *merger) isOpen(p *fabric.Port) bool {
	now, ok := m.found.NodeByGUID(p.Node().GUID())
	if !ok {
		return true // the port of a node that is kept
	}
	q := now.Port(p.Num())
	return q == nil || q.Remote() == nil && (q.InfoBytes() == nil || m.unasked[place{now.GUID(), q.Num()}])
}

// keep adds the nodes of known that were not reached, and may still be there.
func (m *merger) keep() {
	var next []*fabric.Node
	for n := range m.known.Nodes() {
		if m.of[n] != nil {
			next = append(next, n)
		}
	}
	for len(next) > 0 {
		n := next[0]
		next = next[1:]
		for p := range n.Ports() {
			far := p.Remote()
			if far == nil || m.of[far.Node()] != nil || !m.isOpen(p) {
				continue
			}
			if _, found := m.found.NodeByGUID(far.Node().GUID()); found {
				continue
			}
			m.add(far.Node())
			m.kept = append(m.kept, far.Node())
			next = append(next, far.Node())
		}
	}
}

// links copies the links of a node that was found.
func (m *merger) links(n *fabric.Node) {
	for p := range n.Ports() {
		if far := p.Remote(); far != nil {
			if q := m.port(far); q != nil && m.port(p).Remote() == nil {
				m.b.LinkOneWay(m.port(p), q)
			}
		}
	}
}

// knownLinks adds the links of known of which neither end was asked, or is in use.
func (m *merger) knownLinks() {
	for l := range m.known.Links() {
		a, b := m.port(l.A), m.port(l.B)
		if a != nil && b != nil && a.Remote() == nil && b.Remote() == nil && m.isOpen(l.A) && m.isOpen(l.B) {
			m.b.Link(a, b)
		}
	}
}

// problems takes over those that building the fabric does not find by itself. What the
// sweep did not come to is told port by port: a node as a whole would be asked for
// everything again by the next sweep, which would perhaps not come to its end either.
func (m *merger) problems() {
	for n := range m.found.Nodes() {
		m.unread(n, m.of[n])
	}
	kept := map[ib.GUID]bool{}
	for _, n := range m.kept {
		kept[n.GUID()] = true
	}
	for _, p := range m.found.Problems() {
		if p.Kind.IsLoss() && (p.Kind != fabric.NotFinished || p.Port > 0) {
			m.b.AddProblem(p)
		}
	}
	for _, p := range m.known.Problems() {
		if p.Kind.IsLoss() && kept[p.GUID] {
			m.b.AddProblem(p)
		}
	}
}

// unread notes the ports of a node that were not read when it was.
func (m *merger) unread(from, to *fabric.Node) {
	path, _ := to.Path()
	for num := 1; num <= to.NumPorts(); num++ {
		p := from.Port(num)
		if p != nil && p.InfoBytes() != nil || p == nil && to.Type() != ib.NodeSwitch {
			continue // an adapter tells of the ports that it was reached by
		}
		m.b.Port(to, num)
		m.b.AddProblem(fabric.Problem{
			Kind: fabric.NotFinished, Target: mad.ByPath(path), GUID: to.GUID(), Port: num, Attr: smp.AttrPortInfo,
			Detail: "PortInfo not read in time",
		})
	}
}
