package discover

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// A node is known by its GUID, but GUIDs get duplicated: by cloned firmware, by
// hand, or by a device that lies. What tells two nodes apart is that a port has
// one cable: if two links end at one port of one node, there are two nodes, or a
// cable was moved during the sweep. Asking the older link again decides.

// verdict is what is known of the node that an arrival is at.
type verdict uint8

const (
	unknown  verdict = iota // a node not met before
	known                   // the node given
	doubtful                // the node given, or a twin of it
)

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
	if first.twin == n {
		s.recheckLinks(first)
	}
}

// identify finds the node of an arrival among those with its GUID.
func (s *sweep) identify(a *arrival) (*node, verdict) {
	if a.near == nil {
		return nil, unknown
	}
	first := s.byGUID[a.info.NodeGUID]
	port := int(a.info.LocalPort)
	for n := first; n != nil; n = n.twin {
		if p := n.Port(port); p != nil && p.Remote() == a.here() {
			return n, known
		}
	}
	var taken *node
	for n := first; n != nil; n = n.twin {
		if !n.isArrival(&a.info) {
			continue
		}
		p := n.Port(port)
		switch {
		case p != nil && p.Remote() != nil:
			taken = n
		case p != nil && isDown(p), first.twin != nil && n.isSwitch() && a.near.ports[a.port]&flagSettled == 0:
			return n, doubtful
		default:
			return n, known
		}
	}
	if taken != nil {
		return taken, doubtful
	}
	return nil, unknown
}

// isDown reports whether the port is known not to be connected.
func isDown(p *fabric.Port) bool {
	state := p.PhysState()
	return state != ib.PhysNoChange && state != ib.PhysLinkUp
}

// settle decides about a doubtful arrival by asking once more: the other link
// that ends at the port, or the port itself. Each link is settled once; after
// that the contradiction stays in the result, as a link known from one end.
func (s *sweep) settle(a *arrival, n *node) {
	if a.near.ports[a.port]&flagSettled != 0 {
		s.connect(a, n)
		return
	}
	a.near.ports[a.port] |= flagSettled
	p := n.Port(int(a.info.LocalPort))
	if p == nil || p.Remote() == nil {
		s.recheck(n, a.info.LocalPort, func(b *arrival) { s.settleByPort(a, n, b) })
		return
	}
	other := s.byNode[p.Remote().Node()]
	s.recheck(other, uint8(p.Remote().Num()), func(b *arrival) { s.settleByOther(a, n, p, b) })
}

// settleByOther decides with b, what the other link's near end leads to now.
func (s *sweep) settleByOther(a *arrival, n *node, p *fabric.Port, b *arrival) {
	switch {
	case b == nil: // the other link is gone
		s.builder.Unlink(p)
		s.connect(a, n)
	case b.info.NodeGUID == a.info.NodeGUID && b.info.LocalPort == a.info.LocalPort:
		if b.near.GUID() == a.near.GUID() && b.port == a.port {
			s.connect(a, n) // one link, met from a node that was taken for two
			return
		}
		twin := s.addNode(a)
		s.announce(a, twin, true)
		s.connect(a, twin)
	default: // the other link leads elsewhere now
		s.builder.Unlink(p)
		s.connect(a, n)
		s.arrive(b)
	}
}

// settleByPort decides with b, what the port of n that a seems to have arrived
// at leads to.
func (s *sweep) settleByPort(a *arrival, n *node, b *arrival) {
	if b != nil && b.info.NodeGUID == a.near.GUID() && b.info.LocalPort == a.port {
		s.announce(a, n, false)
		s.connect(a, n)
		return
	}
	if b != nil {
		s.arrive(b)
	}
	for other := n.twin; other != nil; other = other.twin {
		if p := other.Port(int(a.info.LocalPort)); other.isArrival(&a.info) && (p == nil || p.Remote() == nil) && (p == nil || !isDown(p)) {
			s.announce(a, other, false)
			s.connect(a, other)
			return
		}
	}
	twin := s.addNode(a)
	s.announce(a, twin, true)
	s.connect(a, twin)
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
