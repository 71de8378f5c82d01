package discover

import (
	"errors"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// remember finds what is known of a node that was just met. A second node with a
// GUID shows that what was told of the first may be the other's.
func (s *sweep) remember(n *node, info *smp.NodeInfo) {
	if s.opts.memory == nil {
		return
	}
	if first := s.byGUID[n.GUID()]; first != nil {
		s.distrust(first)
		return
	}
	if r := s.opts.memory.find(info); r != nil {
		r.node, n.past = n, r
	}
}

// learn draws the conclusions from a task that was sent and is done.
func (s *sweep) learn(t *task) {
	if s.opts.memory == nil || t.node == nil || t.recalled {
		return
	}
	switch t.step.kind {
	case askSwitchInfo:
		s.learnSwitch(t)
	case askPortInfo:
		s.learnPort(t)
	case probe:
		s.learnLink(t)
	}
	if t.leads != nil {
		s.follow(t.leads)
		t.leads = nil
	}
}

// learnSwitch decides by a switch's SwitchInfo which ports must be asked, and
// asks for the PortInfo of all of them.
func (s *sweep) learnSwitch(t *task) {
	n, r := t.node, t.node.past
	if r == nil || r.portsAsked {
		return
	}
	r.portsAsked = true
	var now smp.SwitchInfo
	before, told := r.known.SwitchInfo()
	if t.request.Err == nil {
		now.Decode(t.request.Packet.SMPData())
	}
	switch {
	case t.request.Err != nil || !told || now.PortStateChange:
		for port := range r.ports {
			s.mark(r, port)
		}
	default:
		before.PortStateChange = false
		r.hinted = now != before
	}
	for port := range r.ports {
		s.ask(n, askPortInfo, port)
	}
}

// localPortByte is the place of PortInfo.LocalPort, which depends on the way that
// the request took.
const localPortByte = 28

// learnPort compares a PortInfo with the one in memory.
func (s *sweep) learnPort(t *task) {
	r := t.node.past
	if r == nil || t.request.Err != nil {
		return
	}
	p := r.known.Port(int(t.step.port))
	if p == nil || p.InfoBytes() == nil {
		return
	}
	before, now := *p.InfoBytes(), *t.request.Packet.SMPData()
	before[localPortByte], now[localPortByte] = 0, 0
	if before != now {
		s.outdate(p)
	}
}

// learnLink compares the node behind a port with the one in memory.
func (s *sweep) learnLink(t *task) {
	if t.request.Err != nil {
		s.lookAgain(t)
		return
	}
	var info smp.NodeInfo
	info.Decode(t.request.Packet.SMPData())
	var here *fabric.Port
	if r := t.node.past; r != nil {
		here = r.known.Port(int(t.step.port))
	}
	if here != nil && !isBehind(here, &info) {
		s.outdate(here)
	}
	far := s.byGUID[info.NodeGUID]
	if far == nil || far.past == nil || int(info.LocalPort) >= len(far.past.ports) {
		return
	}
	if far.past.unproved {
		s.prove(far, t.request.Target.Path)
	}
	there := far.past.known.Port(int(info.LocalPort))
	switch {
	case there == nil:
		s.mark(far.past, int(info.LocalPort))
	case here == nil || there.Remote() != here:
		s.outdate(there)
	}
}

// prove notes where an adapter is, of which only memory has told so far, and asks
// it what was put off until then.
func (s *sweep) prove(n *node, path ib.DRPath) {
	n.past.unproved = false
	s.builder.SetPath(n.Node, path)
	for port, mark := range n.past.ports {
		if mark&(portTold|outdated) == portTold|outdated {
			s.readAgain(n, port)
		}
	}
}

// doubts reports whether a probe is to be sent once more: memory has another node behind
// the port than the reply tells. That happens when a cable was moved, and then the second
// reply tells the same; or the reply is not true, and believing it would take a node away
// until the next refresh, with all that is behind it.
func (s *sweep) doubts(t *task) bool {
	if t.step.kind != probe || t.node == nil || t.node.past == nil || t.recalled || t.again || s.opts.memory.searched {
		return false
	}
	p := t.node.past.known.Port(int(t.step.port))
	if p == nil || p.Remote() == nil {
		return false
	}
	var info smp.NodeInfo
	info.Decode(t.request.Packet.SMPData())
	return !isBehind(p, &info)
}

// isBehind reports whether memory has a NodeInfo behind a port.
func isBehind(p *fabric.Port, info *smp.NodeInfo) bool {
	r := p.Remote()
	return r != nil && r.Num() == int(info.LocalPort) && (&node{Node: r.Node()}).isArrival(info)
}

// lookAgain handles a probe without an answer from a port that is up in memory
// only: it asks for the PortInfo, as a sweep would have done first. If the port is
// still up it is probed once more.
func (s *sweep) lookAgain(t *task) {
	r, port := t.node.past, int(t.step.port)
	if r == nil || r.ports[port]&portTold == 0 || t.answered() {
		return
	}
	if last := len(s.lost) - 1; last >= 0 && s.lost[last].node == t.node && s.lost[last].step == t.step {
		s.lost = s.lost[:last]
	}
	t.node.ports[port] &^= flagProbed
	s.outdate(r.known.Port(port))
}

// follow goes on with the probes that have waited for a first one to the same
// node. If that has not led there, the others' ports are asked first.
func (s *sweep) follow(far *remembered) {
	waiting := far.waiting
	far.led, far.waiting = false, nil
	for _, t := range waiting {
		if far.node != nil {
			s.direct = append(s.direct, t)
			continue
		}
		n, port := t.node, int(t.step.port)
		n.ports[port] &^= flagProbed
		s.mark(n.past, port)
		if n.past.ports[port]&portTold == 0 {
			s.afterPortInfo(n, n.Port(port))
		}
		t.recalled = true // nothing is to be learned from it
		s.release(t)
	}
}

// outdate no longer believes what memory has of a port, of its cable, and of the
// port at the cable's other end.
func (s *sweep) outdate(p *fabric.Port) {
	for _, end := range s.opts.memory.ends(p) {
		s.mark(end.of, end.port)
	}
}

// distrust no longer believes anything of a node.
func (s *sweep) distrust(n *node) {
	r := n.past
	if r == nil || r.distrusted {
		return
	}
	r.distrusted = true
	s.ask(n, askDescription, 0)
	for port := range r.ports {
		s.mark(r, port)
	}
}

// mark no longer believes what memory has of a port and its cable. What the sweep
// has taken from there it asks.
func (s *sweep) mark(r *remembered, port int) {
	had := r.ports[port]
	r.ports[port] |= outdated
	n := r.node
	switch {
	case n == nil || had&outdated != 0:
	case had&portTold != 0 && !r.unproved:
		s.readAgain(n, port)
	case had&linkTold != 0:
		s.reconsider(n, port)
	default:
		s.goOnFrom(n, port)
	}
}

// readAgain asks for a PortInfo that was told from memory.
func (s *sweep) readAgain(n *node, port int) {
	s.reread(n, uint8(port), func() {
		n.past.ports[port] &^= portTold
		s.reconsider(n, port)
	})
}

// goOnFrom asks who is behind a port that is up, if that is not known.
func (s *sweep) goOnFrom(n *node, port int) {
	if p := n.Port(port); p != nil && port != 0 && p.Remote() == nil {
		s.afterPortInfo(n, p)
	}
}

// reconsider goes on from a port whose PortInfo is now read, and whose link, if it
// was taken from memory, is asked for.
func (s *sweep) reconsider(n *node, port int) {
	p := n.Port(port)
	if p == nil {
		return
	}
	far := p.Remote()
	switch {
	case far != nil && n.past.ports[port]&linkTold != 0:
		s.unlink(p)
		if near := s.byNode[far.Node()]; near.past == nil || near.past.ports[far.Num()] != portTold|outdated {
			s.goOnFrom(near, far.Num()) // else it will be reconsidered itself
		}
	case far != nil && port != int(n.arrivedAt) && isDown(p):
		s.doubt(p)
	}
	if port != 0 {
		s.afterPortInfo(n, p)
	}
}

// searchMissing asks at the end for all links that were told from memory, if a
// known node was not met: it may be where another link was before. It reports
// whether there is anything to wait for.
func (s *sweep) searchMissing() bool {
	m := s.opts.memory
	if m == nil || m.searched || m.level != Normal || s.start == nil || s.opts.MaxHops > 0 {
		return false
	}
	isMissing := func(r remembered) bool { return r.node == nil && !r.unusable }
	if !slices.ContainsFunc(m.nodes, isMissing) {
		return false
	}
	m.searched = true
	for _, n := range s.nodes {
		for p := range n.Ports() {
			if p.Remote() != nil && n.isSwitch() && n.past != nil && n.past.ports[p.Num()]&linkTold != 0 {
				s.unlink(p)
				s.goOnFrom(n, p.Num())
			}
		}
	}
	return true
}

// answered reports whether a request failed by what an agent said.
func (t *task) answered() bool {
	var status mad.Status
	return errors.As(t.request.Err, &status)
}
