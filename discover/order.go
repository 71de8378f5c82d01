package discover

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Requests are answered in any order, yet the result must not depend on it. So
// the order of the nodes, and the way to each, are found afterwards: by replaying
// the queue that libibnetdisc would have worked through with one request in
// flight. Its requests that lead to no others are left out of the replay.

// replay is libibnetdisc's queue over a fabric that is known.
type replay struct {
	s       *sweep
	queue   []replayStep
	order   []*fabric.Node
	met     map[*fabric.Node]bool
	start   *fabric.Node
	told    int // PortInfo replies so far
	maxHops int
}

// replayStep is a reply in libibnetdisc's queue: NodeInfo over the link of port
// (of the start when port is nil), PortInfo or ExtendedPortInfo of port.
type replayStep struct {
	kind stepKind
	port *fabric.Port
}

// canonical gives the sweep's result the order, the paths and the arrival
// ports of the replay. It returns the length of the longest route that
// libibnetdisc would have reported.
func (s *sweep) canonical() int {
	r := &replay{s: s, start: s.start.Node, met: make(map[*fabric.Node]bool, len(s.nodes))}
	r.nodeInfo(nil)
	for len(r.queue) > 0 {
		st := r.queue[0]
		r.queue = r.queue[1:]
		switch st.kind {
		case probe:
			r.nodeInfo(st.port)
		case askPortInfo:
			r.portInfo(st.port)
		case askExtended:
			r.farEnd(st.port)
		}
	}
	s.builder.Reorder(r.order)
	return r.maxHops + s.opts.From.Path.Len()
}

func (r *replay) add(kind stepKind, p *fabric.Port) { r.queue = append(r.queue, replayStep{kind, p}) }

// nodeInfo replays the NodeInfo that was asked over the link of near.
func (r *replay) nodeInfo(near *fabric.Port) {
	n, arrival := r.start, int(r.s.start.arrivedAt)
	if near != nil {
		if near.Remote() == nil {
			return
		}
		n, arrival = near.Remote().Node(), near.Remote().Num()
	}
	if !r.met[n] {
		r.meet(n, near, arrival)
	}
	if n.Type() != ib.NodeSwitch {
		if p := n.Port(arrival); p != nil {
			r.add(askPortInfo, p)
		}
	}
}

// meet is the first arrival at a node.
func (r *replay) meet(n *fabric.Node, near *fabric.Port, arrival int) {
	r.met[n] = true
	r.order = append(r.order, n)
	if near != nil {
		if t, ok := r.s.wayBeyond(r.s.byNode[near.Node()], uint8(near.Num())); ok {
			r.s.builder.SetPath(n, t.Path)
		}
	}
	r.s.builder.SetArrival(n, arrival)
	if n.Type() != ib.NodeSwitch {
		return
	}
	for p := range n.Ports() {
		if p.Num() == 0 {
			r.add(askPortInfo, p)
		}
	}
	if n.Port(0) == nil { // libibnetdisc would have stopped here; the order goes on
		r.externalPorts(n)
	}
}

// portInfo replays a PortInfo reply.
func (r *replay) portInfo(p *fabric.Port) {
	n := p.Node()
	if _, ok := p.RawInfo(); ok {
		r.told++
		r.s.builder.SetInfoOrder(p, r.told)
	}
	if n.Type() == ib.NodeSwitch && p.Num() == 0 {
		r.externalPorts(n)
		return
	}
	sweepNode := r.s.byNode[n]
	if r.s.mayWantExtended(sweepNode, p) && wantsExtended(p) {
		r.add(askExtended, p)
		return
	}
	r.farEnd(p)
}

func (r *replay) externalPorts(n *fabric.Node) {
	for p := range n.Ports() {
		if p.Num() != 0 {
			r.add(askPortInfo, p)
		}
	}
}

// farEnd asks who is behind a port, by libibnetdisc's rule: every port that is
// up but the one first arrived at.
func (r *replay) farEnd(p *fabric.Port) {
	n := p.Node()
	arrival := int(n.Info().LocalPort)
	up := p.PhysState() == ib.PhysLinkUp || p.PhysState() == ib.PhysNoChange
	switch {
	case p.Num() == 0 || !up:
		return
	case n == r.start && (n.Type() == ib.NodeSwitch || p.Num() == int(r.s.start.arrivedAt)):
	case n.Type() == ib.NodeSwitch && p.Num() != arrival:
	default:
		return
	}
	path, _ := n.Path()
	hops := path.Len() + 1 - r.s.opts.From.Path.Len()
	r.maxHops = max(r.maxHops, hops)
	r.add(probe, p)
}
