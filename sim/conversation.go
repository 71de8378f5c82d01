package sim

import (
	"time"

	"github.com/ibscope/ibscope/mad"
)

// A Conversation is an Agent that answers with more than one packet: by RMPP,
// the protocol for long messages. Heard gets the packets that go on after the
// request: those with the response bit set, acknowledgements above all. It may
// send more by r.Reply.
type Conversation interface {
	Agent
	Heard(r Request, m *mad.Packet)
}

// Reply sends a packet from where the request arrived back to its sender. It
// has the loss and the latency of any reply, but takes no time of the agent. It may be called at any time after
// Answer or Heard, until the sender is closed, which it reports by false. A copy
// of m is taken.
func (r Request) Reply(m *mad.Packet) bool {
	p := r.Sender
	if p == nil || p.box.isClosed() {
		return false
	}
	at := &r.Fabric.nodes[r.At.Node.Index()].ports[r.At.Port]
	t := trip{sim: r.Fabric, node: at.node, in: at.num, isData: true, pkey: fullMemberDefault}
	nth := p.sends.Add(1)
	c := r.Fabric.packets.Get().(*carrier)
	defer r.Fabric.packets.Put(c)
	if r.Fabric.physics != nil {
		c.flight.beginBack(p, nth)
		t.flight = &c.flight
	}
	if at.node.isDead.Load() || r.Fabric.faults.isDead(r.At.Node) || p.isLost(nth*2+1) || !t.routesBackTo(p, r.From.LID) {
		return true
	}
	from := mad.Addr{LID: at.lid(), SL: r.From.SL, QP: mad.QPGeneral, QKey: r.From.QKey, PKeyIndex: r.From.PKeyIndex}
	// It answers a packet that has only now been sent.
	delay := r.Fabric.opts.Latency + 2*time.Duration(t.hops)*r.Fabric.opts.HopLatency + c.flight.delay
	for range 1 + c.flight.copies {
		p.arrive(m, from, delay, nil)
	}
	return true
}

// hear gives a packet with the response bit that has arrived to the agent of its
// class, if that holds conversations.
func (t *trip) hear(m *mad.Packet, p *Port, to mad.Addr) {
	if a, ok := t.sim.agents.get(m.Class()).(Conversation); ok {
		a.Heard(t.request(p, to), m)
	}
}

// request is what the agent at t is told of a packet that p has sent.
func (t *trip) request(p *Port, to mad.Addr) Request {
	from := to
	from.LID, from.QP = p.at.lid(), mad.QPGeneral
	return Request{Fabric: t.sim, At: t.arrived().place(), From: from, Sender: p}
}
