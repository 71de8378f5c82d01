package discover

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// memory is what a refresh knows of the fabric beforehand. The sweep of a refresh
// is a sweep like any other; each of its questions is answered from memory unless
// there is a reason to ask.
type memory struct {
	known         *fabric.Fabric
	level         Level
	period, round uint64
	nodes         []remembered // by index in known
	searched      bool         // see searchMissing; links are not believed any more
}

// remembered is a node of the known fabric.
type remembered struct {
	known *fabric.Node
	node  *node      // of this sweep, nil until it is met
	ports []portMark // by port number

	unusable   bool // nothing is taken from memory: its GUID is not its own
	distrusted bool // everything is asked
	hinted     bool // ports without a link are asked
	portsAsked bool // PortInfo of a switch's ports has been asked for
	unproved   bool // nobody but memory has told that an adapter is where it was

	// led is set while NodeInfo is asked over one link, for the others that lead
	// here to wait for it.
	led     bool
	waiting []*task
}

// portMark is how a port stands between memory and the wire.
type portMark uint8

const (
	portTold portMark = 1 << iota // its PortInfo came from memory
	linkTold                      // its link came from memory; set at both ends
	outdated                      // what memory has of it and its link is not believed
)

func newMemory(known *fabric.Fabric, o *RefreshOptions) *memory {
	m := &memory{
		known: known, level: o.Level, period: uint64(o.Period),
		round: uint64(uint(o.Round)) % uint64(o.Period), nodes: make([]remembered, known.NumNodes()),
	}
	size := 0
	for n := range known.Nodes() {
		size += n.NumPorts() + 1
		if first, _ := known.NodeByGUID(n.GUID()); first != n {
			m.nodes[n.Index()].unusable, m.nodes[first.Index()].unusable = true, true
		}
	}
	marks := make([]portMark, size)
	for n := range known.Nodes() {
		ports := n.NumPorts() + 1
		r := &m.nodes[n.Index()]
		r.known, r.ports = n, marks[:ports:ports]
		marks = marks[ports:]
	}
	m.noteProblems()
	if o.Doubt != nil {
		for p := range known.Ports() {
			if o.Doubt(p) {
				m.doubt(p)
			}
		}
	}
	return m
}

// doubt has a port, its link, and the port at the link's other end asked again.
func (m *memory) doubt(p *fabric.Port) {
	for _, end := range m.ends(p) {
		end.of.ports[end.port] |= outdated
	}
}

// noteProblems has everything asked again that was a problem the last time.
func (m *memory) noteProblems() {
	for _, p := range m.known.Problems() {
		n, ok := m.known.NodeByGUID(p.GUID)
		if !ok {
			continue
		}
		r := &m.nodes[n.Index()]
		port := n.Port(p.Port)
		if p.Port <= 0 || port == nil {
			r.distrusted = true
			continue
		}
		m.doubt(port)
	}
}

// end is a port of a node in memory.
type end struct {
	of   *remembered
	port int
}

// ends are a port and the one that it was connected to; the port itself again if
// there was none.
func (m *memory) ends(p *fabric.Port) [2]end {
	far := p.Remote()
	if far == nil {
		far = p
	}
	return [2]end{{&m.nodes[p.Node().Index()], p.Num()}, {&m.nodes[far.Node().Index()], far.Num()}}
}

// find is what is remembered of a node with that NodeInfo, nil for nothing.
func (m *memory) find(info *smp.NodeInfo) *remembered {
	n, ok := m.known.NodeByGUID(info.NodeGUID)
	if !ok {
		return nil
	}
	r := &m.nodes[n.Index()]
	if r.unusable || r.node != nil || !(&node{Node: n}).isArrival(info) {
		return nil
	}
	return r
}

// What isDue tells apart beside port numbers.
const (
	descriptionTurn = 0x100
	linkTurn        = 0x200
)

// isDue reports whether it is the turn of a part of a node in this refresh. The
// parts of switches are spread by a hash, so that each refresh has about as many,
// at all switches. An adapter has one turn for all its parts: if it is not where
// it was, others must not answer for it.
func (m *memory) isDue(n *fabric.Node, part int) bool {
	if n.Type() != ib.NodeSwitch {
		part = 0
	}
	h := uint64(n.GUID()) ^ uint64(part)*0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9 // the finalizer of splitmix64
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return (h^h>>31)%m.period == m.round
}

// isLinkDue is isDue for a link, the same from either end.
func (m *memory) isLinkDue(p, q *fabric.Port) bool {
	a, b := p.Node(), q.Node()
	switch isSwitch := a.Type() == ib.NodeSwitch; {
	case isSwitch != (b.Type() == ib.NodeSwitch):
		if isSwitch {
			a = b
		}
		return m.isDue(a, 0)
	case !isSwitch:
		return m.isDue(a, 0) || m.isDue(b, 0)
	case b.GUID() < a.GUID() || a == b && q.Num() < p.Num():
		p = q
	}
	return m.isDue(p.Node(), linkTurn+p.Num())
}
