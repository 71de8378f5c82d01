package discover

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// arrival is a NodeInfo received: some node, entered through one of its ports,
// is at the far end of a port that is known.
type arrival struct {
	target mad.Target
	raw    [mad.DataSize]byte
	info   smp.NodeInfo
	near   *node // nil for the start
	port   uint8 // of near

	isAt map[*node]bool // what was found out of twins that it may be at, see verified
}

// here is the near end of the link.
func (a *arrival) here() *fabric.Port { return a.near.Port(int(a.port)) }

// nodeInfo takes the answer to a probe.
func (s *sweep) nodeInfo(t *task, data *[mad.DataSize]byte) {
	a := &arrival{target: t.request.Target, raw: *data, near: t.node, port: t.step.port}
	a.info.Decode(data)
	if port, ok := backPort(t.node); ok {
		a.info.LocalPort = port
		a.info.Encode(&a.raw)
	}
	if why := a.impossible(); why != "" {
		s.badReply(a, "NodeInfo that cannot be: "+why)
		return
	}
	if a.near != nil && a.near.behind != nil {
		a.near.behind[a.port] = a
	}
	s.arrive(a)
}

// backPort is the port at the far end of the link by which a channel adapter was
// reached. A probe of that link goes back over it, see wayBeyond, and tells the
// port by which the way comes to the far node.
func backPort(n *node) (uint8, bool) {
	if n == nil || n.isSwitch() {
		return 0, false
	}
	path, _ := n.Path()
	return uint8(path.Last()), path.Len() > 0
}

// impossible says what in a NodeInfo cannot be true, "" if nothing.
func (a *arrival) impossible() string {
	switch i := &a.info; {
	case i.BaseVersion == 0:
		return "base version 0"
	case i.NodeType == 0 || i.NodeType > ib.NodeRouter:
		return fmt.Sprintf("node type %d", uint8(i.NodeType))
	case i.LocalPort > i.NumPorts:
		return fmt.Sprintf("arrival port %d of %d ports", i.LocalPort, i.NumPorts)
	case i.LocalPort == 0 && (a.near != nil || i.NodeType != ib.NodeSwitch):
		return "arrival port 0"
	}
	return ""
}

// isNew takes an arrival at a node not met before.
func (s *sweep) isNew(a *arrival) {
	if why := s.beyondBounds(a); why != "" {
		s.notFollowed(a, why)
		return
	}
	n := s.addNode(a)
	s.announce(a, n, true)
	s.connect(a, n)
}

// joins takes an arrival at a node that is known.
func (s *sweep) joins(a *arrival, n *node) {
	s.announce(a, n, false)
	s.connect(a, n)
}

// addNode adds the node of an arrival and asks it about itself.
func (s *sweep) addNode(a *arrival) *node {
	n := &node{
		Node: s.builder.AddNode(&a.raw), near: a.near, nearPort: a.port, arrivedAt: a.info.LocalPort,
		ports: make([]portFlags, int(a.info.NumPorts)+1),
	}
	s.builder.SetPath(n.Node, a.target.Path)
	s.nodes = append(s.nodes, n)
	s.size += len(n.ports)
	s.byNode[n.Node] = n
	s.remember(n, &a.info)
	s.chain(n)
	if a.near == nil {
		s.start = n
		s.builder.SetStart(s.builder.Port(n.Node, int(a.info.LocalPort)))
	} else {
		n.depth = a.near.depth + 1
	}
	if n.isSwitch() {
		s.switches++
		n.questions.reserve(len(n.ports) + 2)
		n.cables, n.rows = make([]cable, len(n.ports)), make([]*node, len(n.ports))
		for port := range portOrder(n.NumPorts(), int(n.arrivedAt)+s.opts.rotation, len(s.nodes)) {
			if n.past == nil { // else SwitchInfo tells which must be asked, see learnSwitch
				s.ask(n, askPortInfo, port)
			}
		}
		s.ask(n, askSwitchInfo, 0)
	}
	s.ask(n, askDescription, 0)
	return n
}

// connect records the link over which an arrival came, and asks a channel
// adapter or router about the port that it came in through.
func (s *sweep) connect(a *arrival, n *node) {
	port := a.info.LocalPort
	p := s.builder.Port(n.Node, int(port))
	if !n.isSwitch() {
		s.builder.SetPortGUID(p, a.info.PortGUID)
	}
	if a.near != nil {
		if here := a.here(); here.Remote() != p {
			s.replace(a, p)
			s.builder.Link(here, p)
			a.near.noteCable(here.Num(), n)
			n.noteCable(p.Num(), a.near)
			s.links++
		}
		s.comeNearer(n, a)
		if path, _ := n.Path(); path != a.target.Path && n.anotherNear == nil {
			n.anotherNear, n.anotherPort = a.near, a.port
		}
	}
	if !n.isSwitch() && n.ports[port]&flagAsked == 0 {
		n.ports[port] |= flagAsked
		s.ask(n, askPortInfo, int(port))
	}
}

// announce tells the caller of an arrival.
func (s *sweep) announce(a *arrival, n *node, isNew bool) {
	if s.opts.Arrival == nil {
		return
	}
	v := Arrival{Target: a.target, Info: a.info, New: isNew, Description: n.Description()}
	port := 0
	if !n.isSwitch() {
		port = int(a.info.LocalPort)
	}
	if p := n.Port(port); p != nil {
		v.LID, v.LMC = p.LID(), p.LMC()
	}
	s.opts.Arrival(v)
}
