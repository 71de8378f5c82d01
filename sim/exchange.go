package sim

import (
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// carrier is the memory that a packet needs on its way. It is used again, so
// that no packet costs an allocation.
type carrier struct {
	packet  mad.Packet
	scratch [mad.DataSize]byte
	flight  flight
}

// delivery is how a reply comes back.
type delivery struct {
	port        *Port  // who asks; nil if it is the fabric itself
	sender      ib.LID // of who asks; permissive if it has none, or the way is directed
	from        mad.Addr
	delay       time.Duration
	extraCopies int
	isForwarded bool // the request went to a Port, which will answer
}

// exchange takes a request to the agent that it addresses and turns the packet
// into the reply. It reports false when nothing comes back from an agent.
func (p *Port) exchange(c *carrier, to mad.Addr) (d delivery, ok bool) {
	m := &c.packet
	if p.at.node.isDead.Load() || p.sim.faults.isDead(p.at.node.model) {
		return d, false
	}
	t := trip{sim: p.sim, node: p.at.node, in: p.at.num, scratch: &c.scratch}
	if p.sim.physics != nil {
		t.flight = &c.flight
	}
	if m.IsResponse() && !(m.Class().IsSMP() && m.Method() == mad.MethodTrapRepress) {
		t.respond(m, p, to)
		return d, false
	}
	d.port, d.sender = p, ib.PermissiveLID
	d.from = mad.Addr{LID: ib.PermissiveLID, SL: to.SL}
	switch {
	case m.Class() == mad.ClassSubnDirected:
		ok = t.directedExchange(m, p, to.LID, &d)
	case !m.Class().IsSMP():
		ok = t.generalExchange(m, p, to, &d)
	default:
		d.from.LID = to.LID
		if lid := p.at.lid(); lid != 0 {
			d.sender = lid
		}
		ok = t.lidExchange(m, p, to.LID, &d)
	}
	d.delay += p.sim.opts.Latency + time.Duration(t.hops)*p.sim.opts.HopLatency
	if t.flight != nil {
		d.delay += t.flight.delay
	}
	return d, ok
}

// respond takes a response that a program sends to the Port that asked for it.
func (t *trip) respond(m *mad.Packet, p *Port, to mad.Addr) {
	from := to
	switch {
	case m.Class() == mad.ClassSubnDirected:
		from.LID = ib.PermissiveLID
		if m.HopCount() > ib.MaxHops || !m.IsReturning() || !t.retrace(m) {
			return
		}
		m.SetHopPointer(0)
	case to.LID == ib.PermissiveLID && m.Class().IsSMP():
		if !t.leave(int(t.in)) {
			return
		}
	default:
		from.LID = p.at.lid() + ib.LID(to.PathBits)
		t.isData = !m.Class().IsSMP()
		if t.isData && !t.startData(p, to) || !t.routeTo(to.LID) {
			return
		}
	}
	if !t.deliver(m, p, from) && t.isData {
		t.hear(m, p, to)
	}
}
