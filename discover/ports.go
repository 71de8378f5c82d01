package discover

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// portInfo takes the PortInfo of a port and decides what it leads to.
func (s *sweep) portInfo(n *node, port int, data *[mad.DataSize]byte) {
	p := s.builder.Port(n.Node, port)
	s.builder.SetPortInfo(p, data)
	s.ports++
	if p.Remote() != nil && port != int(n.arrivedAt) && isDown(p) {
		s.doubt(p)
	}
	if n.isSwitch() && port == 0 {
		s.settlePort0(n)
		return
	}
	if n.isSwitch() && !n.port0Settled && s.mayWantExtended(n, p) {
		n.deferred = append(n.deferred, uint8(port))
		s.goOn(n, p)
		return
	}
	s.afterPortInfo(n, p)
}

// settlePort0 goes on with the ports that waited for PortInfo of port 0, whose
// capability mask says whether their extended speeds mean anything.
func (s *sweep) settlePort0(n *node) {
	n.port0Settled = true
	deferred := n.deferred
	n.deferred = nil
	for _, port := range deferred {
		s.afterPortInfo(n, n.Port(int(port)))
	}
}

func (s *sweep) afterPortInfo(n *node, p *fabric.Port) {
	if s.mayWantExtended(n, p) && wantsExtended(p) {
		s.ask(n, askExtended, p.Num())
	}
	s.goOn(n, p)
}

func (s *sweep) extendedPortInfo(n *node, port int, data *[mad.DataSize]byte) {
	p := n.Port(port)
	s.builder.SetExtendedPortInfo(p, data)
	s.goOn(n, p)
}

// goOn lines up the probe of a port's far end, if the sweep goes on there.
func (s *sweep) goOn(n *node, p *fabric.Port) {
	port := uint8(p.Num())
	if !s.leadsOn(n, p) || n.ports[port]&flagProbed != 0 {
		return
	}
	if s.opts.MaxHops > 0 && n.depth >= s.opts.MaxHops {
		return
	}
	if _, ok := s.wayBeyond(n, port); !ok {
		s.tooFar(n, p)
		return
	}
	n.ports[port] |= flagProbed
	if s.isBehindAnother(n, int(port)) {
		n.late = append(n.late, port)
		return
	}
	s.probes.hold(n, port)
}

// leadsOn reports whether a port leads to a node that the sweep should visit: it
// is physically up, and not the one that the sweep came in through. Of a node
// other than a switch only the start leads on, by the port that it began with.
func (s *sweep) leadsOn(n *node, p *fabric.Port) bool {
	if p.Num() == 0 || p.PhysState() != ib.PhysLinkUp {
		return false
	}
	if n == s.start {
		return n.isSwitch() || p.Num() == int(n.arrivedAt)
	}
	return n.isSwitch() && p.Num() != int(n.arrivedAt)
}

// comeNearer notes a way to a node with fewer links than those before: what is behind
// may be near enough now.
func (s *sweep) comeNearer(n *node, a *arrival) {
	if s.opts.MaxHops == 0 || n.depth <= a.near.depth+1 {
		return
	}
	n.depth = a.near.depth + 1
	for near := []*node{n}; len(near) > 0; near = near[1:] {
		n := near[0]
		for p := range n.Ports() {
			if p.Remote() == nil {
				s.goOn(n, p)
			} else if far := s.byNode[p.Remote().Node()]; far.depth > n.depth+1 && s.leadsOn(n, p) {
				far.depth = n.depth + 1
				near = append(near, far)
			}
		}
	}
}

// nextProbe gives the next probe that must be sent.
func (s *sweep) nextProbe() *task {
	for {
		n, port, ok := s.probes.next()
		if !ok {
			return nil
		}
		if !s.opts.BothEnds && isProved(n.Port(int(port))) {
			n.ports[port] &^= flagProbed
			s.probes.makeReady(n)
			continue
		}
		return s.newTask(n, step{probe, port})
	}
}

// isProved reports whether a port's link is known from its far end, and both
// ends tell the same of it.
func isProved(p *fabric.Port) bool {
	return p.Remote() != nil && !fabric.Link{A: p, B: p.Remote()}.Disagrees()
}
