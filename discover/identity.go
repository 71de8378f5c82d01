package discover

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// A node is known by its GUID, but GUIDs get duplicated: by cloned firmware, by
// hand, or by a device that lies. What tells two nodes apart is that a port has
// one cable: if two links end at one port of one node, there are two nodes, or a
// cable was moved during the sweep. Asking the older link again decides.

// chain adds a node to those with its GUID.
func (s *sweep) chain(n *node) {
	first := s.byGUID[n.GUID()]
	if first == nil {
		s.byGUID[n.GUID()] = n
		return
	}
	last := first
	for last.twin != nil {
		last = last.twin
	}
	last.twin = n
	first.twins++
	if first.twin == n {
		s.recheckLinks(first)
	}
}

// identify finds the node of an arrival where that is beyond doubt; else it
// reports false. A nil node is one not met before.
func (s *sweep) identify(a *arrival) (n *node, certain bool) {
	if a.near == nil {
		return nil, true
	}
	first := s.byGUID[a.info.NodeGUID]
	port := int(a.info.LocalPort)
	for n := first; n != nil; n = n.twin {
		if p := n.Port(port); p != nil && p.Remote() == a.here() {
			return n, true
		}
	}
	switch {
	case first == nil:
		return nil, true
	case first.twin != nil || !first.isArrival(&a.info):
		return nil, false
	}
	p := first.Port(port)
	return first, p == nil || p.Remote() == nil && !isDown(p)
}

// isDown reports whether the port is known not to be connected.
func isDown(p *fabric.Port) bool {
	state := p.PhysState()
	return state != ib.PhysNoChange && state != ib.PhysLinkUp
}

// settle finds the node of a doubtful arrival. Each link is settled once; if it
// is in doubt again, the contradiction stays in the result.
func (s *sweep) settle(a *arrival) {
	first := s.byGUID[a.info.NodeGUID]
	if a.near.ports[a.port]&flagSettled == 0 {
		a.near.ports[a.port] |= flagSettled
		s.decide(a, first)
		return
	}
	for n := first; n != nil; n = n.twin {
		if n.isArrival(&a.info) {
			s.joins(a, n)
			return
		}
	}
	s.isNew(a)
}

// decide finds out whether an arrival is at candidate, and if it is not, goes on
// with the next node that has the GUID. Behind the last it is a new node.
func (s *sweep) decide(a *arrival, candidate *node) {
	for candidate != nil && !candidate.isArrival(&a.info) {
		candidate = candidate.twin
	}
	if candidate == nil {
		s.isNew(a)
		return
	}
	p := candidate.Port(int(a.info.LocalPort))
	switch {
	case p != nil && p.Remote() == a.here():
		s.joins(a, candidate)
	case p != nil && p.Remote() != nil:
		s.askOtherLink(a, candidate, p)
	case p != nil && isDown(p):
		s.askPort(a, candidate, p)
	case candidate.isSwitch() && s.byGUID[candidate.GUID()].twin != nil:
		s.askBack(a, candidate)
	default:
		s.joins(a, candidate)
	}
}

// askOtherLink decides by what is now behind the port that was taken for the
// other end of p.
func (s *sweep) askOtherLink(a *arrival, candidate *node, p *fabric.Port) {
	other := p.Remote()
	s.recheck(s.byNode[other.Node()], uint8(other.Num()), func(b *arrival) {
		switch {
		case p.Remote() != other: // settled meanwhile
			if b != nil && b.here().Remote() == nil {
				s.arrive(b)
			}
			s.decide(a, candidate)
		case b == nil: // the other link is gone
			s.builder.Unlink(p)
			s.joins(a, candidate)
		case b.info.NodeGUID != a.info.NodeGUID || b.info.LocalPort != a.info.LocalPort: // it leads elsewhere now
			s.builder.Unlink(p)
			s.joins(a, candidate)
			s.arrive(b)
		case b.near.GUID() == a.near.GUID() && b.port == a.port:
			s.joins(a, candidate) // one link, met from a node that was taken for two
		default: // both links are there
			s.decide(a, candidate.twin)
		}
	})
}

// askPort decides by the state of the port: one that is still down is another's.
func (s *sweep) askPort(a *arrival, candidate *node, p *fabric.Port) {
	s.reread(candidate, uint8(p.Num()), func() {
		if isDown(p) {
			s.decide(a, candidate.twin)
		} else {
			s.joins(a, candidate)
		}
	})
}

// askBack decides by what the candidate itself has behind the port.
func (s *sweep) askBack(a *arrival, candidate *node) {
	port := a.info.LocalPort
	s.recheck(candidate, port, func(b *arrival) {
		if b != nil && b.info.NodeGUID == a.near.GUID() && b.info.LocalPort == a.port {
			s.joins(a, candidate)
			return
		}
		if p := candidate.Port(int(port)); b != nil && (p == nil || p.Remote() == nil) {
			s.builder.Port(candidate.Node, int(port))
			s.arrive(b)
		}
		s.decide(a, candidate.twin)
	})
}

// doubt takes back a link whose far port turns out to be down: what arrived
// there was another node with the same GUID, or the link has gone since.
func (s *sweep) doubt(p *fabric.Port) {
	far := p.Remote()
	near := s.byNode[far.Node()]
	if near.ports[far.Num()]&flagSettled != 0 {
		return
	}
	s.builder.Unlink(p)
	s.recheck(near, uint8(far.Num()), func(b *arrival) {
		if b != nil {
			s.arrive(b)
		}
	})
}

// recheckLinks asks the links of a node again that are known only from their
// far ends, once it turns out that the node has a twin: they may be the twin's.
func (s *sweep) recheckLinks(n *node) {
	for p := range n.Ports() {
		port := uint8(p.Num())
		if !n.isSwitch() || p.Remote() == nil || n.ports[port]&flagProbed != 0 || (port == n.arrivedAt && n != s.start) {
			continue
		}
		n.ports[port] |= flagProbed
		s.recheck(n, port, func(b *arrival) {
			far := p.Remote()
			if b == nil || far == nil || (b.info.NodeGUID == far.Node().GUID() && int(b.info.LocalPort) == far.Num()) {
				return
			}
			s.builder.Unlink(p)
			s.arrive(b)
			if near := s.byNode[far.Node()]; far.Remote() == nil {
				near.ports[far.Num()] |= flagSettled
				s.recheck(near, uint8(far.Num()), func(c *arrival) {
					if c != nil {
						s.arrive(c)
					}
				})
			}
		})
	}
}

// reread asks for the PortInfo of a port again.
func (s *sweep) reread(n *node, port uint8, then func()) {
	t := s.newTask(n, step{rereadPort, port})
	t.then = then
	s.direct = append(s.direct, t)
}

// recheck asks who is behind a port, and gives the answer, or nil for none, to
// settle.
func (s *sweep) recheck(n *node, port uint8, settle func(*arrival)) {
	if _, ok := s.wayBeyond(n, port); !ok {
		settle(nil)
		return
	}
	t := s.newTask(n, step{recheck, port})
	t.settle = settle
	s.direct = append(s.direct, t)
}
