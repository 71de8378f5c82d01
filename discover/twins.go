package discover

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad/smp"
)

// twins are the nodes of one identity, which may be several. They are told apart
// when nothing else is left to ask, from all arrivals at them together, so that the
// order of the arrivals does not matter.
type twins struct {
	of       identity
	isSwitch bool
	members  []*node
	pending  []*arrival // that are at one of them, nobody knows which
	all      []*arrival // of adapters: those that are settled
	ends     []nearEnd  // ports that may lead to one of them, to be probed again
	begun    bool
}

// nearEnd is a port whose cable led to one of them, as it seemed.
type nearEnd struct {
	node *node
	port uint8
}

// take takes an arrival, the latest one over its link.
func (t *twins) take(a *arrival) {
	isSame := func(b *arrival) bool { return b.near == a.near && b.port == a.port }
	t.pending = append(slices.DeleteFunc(t.pending, isSame), a)
}

// takeBack takes back the link of a member's port; its far end is asked again.
func (t *twins) takeBack(s *sweep, p *fabric.Port) {
	if far := p.Remote(); far != nil {
		t.ends = append(t.ends, nearEnd{s.byNode[far.Node()], uint8(far.Num())})
		s.unlink(p)
	}
}

// settleTwins goes on with telling twins apart when nothing is in flight. It reports
// whether there is more to ask.
func (s *sweep) settleTwins() bool {
	if len(s.contested) == 0 {
		return false
	}
	slices.SortFunc(s.contested, func(a, b *twins) int { return cmp.Compare(a.of.NodeGUID, b.of.NodeGUID) })
	if s.rounds++; s.rounds > maxRounds {
		s.leaveTwins()
		return false
	}
	s.disown()
	for _, t := range s.contested {
		if !t.begun {
			s.beginTwins(t)
		}
		s.askEnds(t)
	}
	if s.hasWork() {
		return true
	}
	for _, t := range s.contested {
		if len(t.pending) == 0 {
			continue
		}
		slices.SortStableFunc(t.pending, byNearEnd)
		if t.isSwitch {
			s.settleSwitches(t)
		} else {
			s.settleAdapters(t)
		}
	}
	return s.hasWork()
}

// leaveTwins gives up on arrivals that cannot be settled: the nodes contradict
// themselves.
func (s *sweep) leaveTwins() {
	for _, t := range s.contested {
		for _, a := range t.pending {
			s.notFollowed(a, "nodes with this GUID contradict themselves each time that they are asked")
		}
		t.pending = nil
	}
}

// hasWork reports whether anything can be sent.
func (s *sweep) hasWork() bool {
	return len(s.direct) > 0 || len(s.probes.ready) > 0 || !s.turns.isEmpty()
}

// byNearEnd puts arrivals in an order that does not depend on their own.
func byNearEnd(a, b *arrival) int {
	return cmp.Or(
		cmp.Compare(a.info.LocalPort, b.info.LocalPort), cmp.Compare(a.info.PortGUID, b.info.PortGUID),
		cmp.Compare(a.near.GUID(), b.near.GUID()), cmp.Compare(a.port, b.port),
		bytes.Compare(a.near.InfoBytes()[:], b.near.InfoBytes()[:]),
	)
}

// beginTwins takes back what was concluded while there seemed to be one node. The
// way to it stays: it leads to the same node as before, and so do those beyond it.
func (s *sweep) beginTwins(t *twins) {
	t.begun = true
	for _, a := range t.pending {
		t.ends = append(t.ends, nearEnd{a.near, a.port})
		a.near.ports[a.port] &^= flagProbed
	}
	t.pending = nil
	for _, n := range t.members {
		if n.isGone {
			continue
		}
		for p := range n.Ports() {
			if isOwnWay(n, p) {
				continue
			}
			t.takeBack(s, p)
			n.ports[p.Num()] &^= flagProbed
			s.goOn(n, p)
		}
	}
}

// isOwnWay reports whether a port's link is the one by which the sweep came to the
// node, or went out from the start.
func isOwnWay(n *node, p *fabric.Port) bool {
	switch {
	case p.Num() != int(n.arrivedAt):
		return false
	case n.near == nil:
		return true
	}
	return n.isSwitch() && p.Remote() == n.near.Port(int(n.nearPort))
}

// askEnds asks again who is behind ports that may lead to one of the twins.
func (s *sweep) askEnds(t *twins) {
	ends := t.ends
	t.ends = nil
	for _, end := range ends {
		n, p := end.node, end.node.Port(int(end.port))
		if !n.isGone && p.Remote() == nil {
			s.goOn(n, p)
		}
	}
}

// settleSwitches finds for each arrival the switch that has the near end of the link
// behind the port: asked by the way to that switch, it is no other's. An arrival at
// none of them is at one more; further ones may be at that, so they wait for it.
func (s *sweep) settleSwitches(t *twins) {
	pending := t.pending
	t.pending = nil
	t.members = slices.DeleteFunc(t.members, func(n *node) bool { return n.isGone })
	known, isOpen := t.members, true
	for _, a := range pending {
		if a.near.isGone {
			continue
		}
		n, wait := s.switchOf(known, a)
		switch {
		case n != nil && !wait:
			s.joins(a, n)
		case wait || !isOpen:
			t.pending = append(t.pending, a)
		default:
			before := len(s.nodes)
			s.isNew(a)
			for _, n := range s.nodes[before:] {
				n.behind = make([]*arrival, len(n.ports))
				t.members, isOpen = append(t.members, n), false
			}
		}
	}
}

// switchOf finds the switch of an arrival, nil for none; or one that must first be
// asked for more.
func (s *sweep) switchOf(known []*node, a *arrival) (n *node, wait bool) {
	port := a.info.LocalPort
	for _, n := range known {
		p := n.Port(int(port))
		if n.near == a.near && n.nearPort == a.port || p != nil && p.Remote() == a.here() {
			return n, false
		}
		down := p != nil && isDown(p)
		if down && n.ports[port]&flagReread == 0 {
			n.ports[port] |= flagReread
			s.reread(n, port, func() { s.goOn(n, p) })
			return n, true
		}
		isFree := port != n.arrivedAt && !down && (p == nil || p.Remote() == nil)
		leads, answered := leads(n, a)
		if isFree && leads && answered && a.near.behind == nil {
			return n, false
		}
		if isAt, known := s.verified(n, a, isFree && leads); isAt || !known {
			return n, !known
		}
	}
	return nil, false
}

// verified finds out whether an arrival is at a node by who is behind another of its
// ports: the node has one there that has no twins, and whose port has one cable. Where
// there is none to ask for, it is as it seems.
func (s *sweep) verified(n *node, a *arrival, seems bool) (isAt, known bool) {
	if isAt, known := a.isAt[n]; known {
		return isAt, true
	}
	for port := range n.behind {
		who, whose := s.landmark(n, port)
		path, ok := a.target.Path.Append(uint8(port))
		if who == nil || port == int(a.info.LocalPort) || !ok {
			continue
		}
		s.askWho(s.along(path), func(info *smp.NodeInfo) {
			if a.isAt == nil {
				a.isAt = map[*node]bool{}
			}
			a.isAt[n] = info == nil && seems || info != nil && who.isArrival(info) && info.LocalPort == whose
		})
		return false, false
	}
	return seems, true
}

// landmark is who is behind a port, if it has no twins.
func (s *sweep) landmark(n *node, port int) (who *node, whose uint8) {
	switch b := n.behind[port]; {
	case port == int(n.arrivedAt) && n.near != nil:
		who, whose = n.near, n.nearPort
	case b == nil:
		return nil, 0
	default:
		who, whose = s.nodeOf(&b.info), b.info.LocalPort
	}
	if who == nil || s.twins[identityOf(who.Info())] != nil {
		return nil, 0
	}
	return who, whose
}

// leads reports whether the node that an arrival may be at has the arrival's near end
// behind the port, as far as is known: there may be no answer, and then nothing speaks
// against it.
func leads(n *node, a *arrival) (leads, answered bool) {
	b := n.behind[a.info.LocalPort]
	if b == nil {
		return true, false
	}
	return a.near.isArrival(&b.info) && b.info.LocalPort == a.port, true
}

// settleAdapters makes all twins anew, from all arrivals at them: the nth arrival at
// each port is at the nth of them.
func (s *sweep) settleAdapters(t *twins) {
	for _, n := range t.members {
		if n != s.start && !n.isGone {
			s.forget(n)
		}
	}
	for _, a := range t.pending {
		isSame := func(b *arrival) bool { return b.near == a.near && b.port == a.port }
		t.all = append(slices.DeleteFunc(t.all, isSame), a)
	}
	t.pending = nil
	t.all = slices.DeleteFunc(t.all, func(a *arrival) bool { return a.near.isGone || s.isStartLink(a) })
	slices.SortStableFunc(t.all, byNearEnd)
	t.members = nil
	if n := s.start; identityOf(n.Info()) == t.of {
		t.members = append(t.members, n)
		for p := range n.Ports() {
			if !isOwnWay(n, p) {
				s.unlink(p)
				n.ports[p.Num()] &^= flagAsked
			}
		}
	}
	s.distribute(t)
}

// isStartLink reports whether an arrival is at the start over the cable by which the
// sweep went out.
func (s *sweep) isStartLink(a *arrival) bool {
	out := s.start.Port(int(s.start.arrivedAt))
	return out != nil && out.Remote() == a.here()
}

// distribute gives the arrivals, which are in order, to adapters.
func (s *sweep) distribute(t *twins) {
	nth := map[uint8]int{}
	if len(t.members) > 0 {
		nth[s.start.arrivedAt] = 1 // its own cable is none of the arrivals
	}
	for _, a := range t.all {
		i := nth[a.info.LocalPort]
		nth[a.info.LocalPort]++
		if i < len(t.members) {
			s.joins(a, t.members[i])
			continue
		}
		before := len(s.nodes)
		s.isNew(a)
		t.members = append(t.members, s.nodes[before:]...)
	}
}

// forget takes a node away: what was asked of it, and its links.
func (s *sweep) forget(n *node) {
	for p := range n.Ports() {
		s.unlink(p)
	}
	n.isGone, n.questions, n.probes, n.late = true, questions{}, nil, nil
	s.nodes = slices.DeleteFunc(s.nodes, func(m *node) bool { return m == n })
	s.lost = slices.DeleteFunc(s.lost, func(l lostStep) bool { return l.node == n })
	s.size -= len(n.ports)
	delete(s.byNode, n.Node)
	s.unchain(n)
	s.builder.Remove(n.Node)
}
