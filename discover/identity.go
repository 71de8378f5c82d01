package discover

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// A node is known by its NodeInfo, but GUIDs get duplicated: by cloned firmware, by
// hand, or by a device that lies. What tells two nodes apart whose NodeInfo is the
// same is that a port has one cable: where two links end at one port, or one at a
// port that is down, there are two nodes, or a cable was moved during the sweep.
// Such nodes are twins until the contrary is shown: see settleTwins.
//
// Twins none of whose ports contradicts the other count as one node. Where no probe
// is spared, as libibnetdisc spares none, fewer of them escape: see Options.BothEnds.

// identity is what tells nodes apart without their cables: NodeInfo without what
// depends on the port that was arrived at.
type identity smp.NodeInfo

func identityOf(info smp.NodeInfo) identity {
	info.LocalPort = 0
	if info.NodeType != ib.NodeSwitch {
		info.PortGUID = 0
	}
	return identity(info)
}

// arrive finds out which node an arrival is at, and connects it.
func (s *sweep) arrive(a *arrival) {
	if a.near == nil {
		s.isNew(a)
		return
	}
	if t := s.twins[identityOf(a.info)]; t != nil {
		s.take(t, a)
		return
	}
	switch n := s.nodeOf(&a.info); {
	case n == nil:
		s.isNew(a)
	case fits(n, a):
		s.joins(a, n)
	default:
		s.take(s.contest(n), a)
	}
}

// take keeps an arrival to be settled. That it seems to contradict others may be due to
// a node that told something wrong of itself: so where it comes from is asked again.
func (s *sweep) take(t *twins, a *arrival) {
	t.take(a)
	n := a.near
	if n.isConfirmed {
		return
	}
	n.isConfirmed = true
	s.askWho(s.wayTo(n), func(info *smp.NodeInfo) {
		if info != nil && !n.isArrival(info) {
			s.disowned = append(s.disowned, n)
		}
	})
}

// disown takes nodes away that have told something else when they were asked again, and
// asks once more who is there.
func (s *sweep) disown() {
	nodes := s.disowned
	s.disowned = nil
	for _, n := range nodes {
		if n.isGone || n.near == nil {
			continue
		}
		var ends []*fabric.Port
		for p := range n.Ports() {
			if p.Remote() != nil {
				ends = append(ends, p.Remote())
			}
		}
		s.forget(n)
		near, port := n.near, n.nearPort
		if near.ports[port]&flagDoubted != 0 {
			s.badReply(&arrival{info: n.Info(), near: near, port: port}, "NodeInfo that is another each time")
			near.ports[port] |= flagProbed
		}
		near.ports[port] |= flagDoubted
		ends = append(ends, near.Port(int(port)))
		for _, p := range ends {
			if m := s.byNode[p.Node()]; m != nil {
				s.goOn(m, p)
			}
		}
	}
}

// nodeOf is the first node that has that NodeInfo, nil for none.
func (s *sweep) nodeOf(info *smp.NodeInfo) *node {
	n := s.byGUID[info.NodeGUID]
	for n != nil && !n.isArrival(info) {
		n = n.twin
	}
	return n
}

// fits reports whether nothing speaks against the arrival being at the node.
func fits(n *node, a *arrival) bool {
	p := n.Port(int(a.info.LocalPort))
	return p == nil || p.Remote() == a.here() || p.Remote() == nil && !isDown(p)
}

// isDown reports whether the port is known not to be connected.
func isDown(p *fabric.Port) bool {
	state := p.PhysState()
	return state != ib.PhysNoChange && state != ib.PhysLinkUp
}

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
}

// unchain takes a node away from those with its GUID.
func (s *sweep) unchain(n *node) {
	first := s.byGUID[n.GUID()]
	if first == n {
		s.byGUID[n.GUID()] = n.twin
		if n.twin == nil {
			delete(s.byGUID, n.GUID())
		}
		return
	}
	for first.twin != n {
		first = first.twin
	}
	first.twin = n.twin
}

// contest begins to doubt that there is one node with that NodeInfo.
func (s *sweep) contest(n *node) *twins {
	key := identityOf(n.Info())
	t := s.twins[key]
	if t == nil {
		t = &twins{of: key, isSwitch: n.isSwitch()}
		if s.twins == nil {
			s.twins = map[identity]*twins{}
		}
		s.twins[key] = t
		s.contested = append(s.contested, t)
		t.members = append(t.members, n)
		n.behind = make([]*arrival, len(n.ports))
		s.distrust(n)
	}
	return t
}

// doubt takes back a link whose end p turns out to be down: what arrived there was
// another node with the same NodeInfo, or the link has gone since.
func (s *sweep) doubt(p *fabric.Port) {
	s.contest(s.byNode[p.Node()]).takeBack(s, p)
}

// replace takes the link of an arrival's near end back, if that was said to lead
// elsewhere by who is there: it was another node than this one.
func (s *sweep) replace(a *arrival, p *fabric.Port) {
	here := a.here()
	if far := here.Remote(); far != nil && far != p {
		s.contest(a.near).takeBack(s, here)
	}
	if far := p.Remote(); far != nil && far != here {
		s.contest(s.byNode[p.Node()]).takeBack(s, p)
	}
}

// unlink takes a link back, wherever it was known from.
func (s *sweep) unlink(p *fabric.Port) {
	far := p.Remote()
	if far == nil {
		return
	}
	s.builder.Unlink(p)
	for _, end := range [...]*fabric.Port{p, far} {
		n := s.byNode[end.Node()]
		n.ports[end.Num()] &^= flagProbed
		n.noteCable(end.Num(), nil)
		if n.past != nil {
			n.past.ports[end.Num()] &^= linkTold
		}
	}
}
