package sim

import (
	"github.com/ibscope/ibscope/mad"
)

// generalExchange carries out a request of general services: LID routed to the
// agent of its class, and the reply back.
func (t *trip) generalExchange(m *mad.Packet, p *Port, to mad.Addr, d *delivery) bool {
	a := t.sim.agents.get(m.Class())
	if a == nil || !t.routeTo(to.LID) {
		return false
	}
	from := to
	from.LID, from.QP = baseLID(p.node, p.num), mad.QPGeneral
	method := m.Method()
	r := Request{Fabric: t.sim, At: Place{t.node, int(t.in)}, From: from}
	if a.Answer(r, m) != Answered {
		return false
	}
	if m.Method() == method {
		m.SetMethod(mad.MethodGetResp)
	}
	d.from = to
	return t.sim.faults.strike(t, m, d) && t.routesBackTo(p, from.LID)
}
