package sim

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// maxLIDHops ends packets that the forwarding tables send in circles.
const maxLIDHops = 64

// lidExchange carries out a LID-routed request: to the owner of dlid, and the
// reply back to the sender's base LID. The permissive LID addresses whoever is
// at the other end of the cable, and its reply comes back the same way.
func (t *trip) lidExchange(m *mad.Packet, p *Port, dlid ib.LID, d *delivery) bool {
	if dlid == ib.PermissiveLID {
		if !t.leave(int(t.in)) || !t.answer(m, d) {
			return false
		}
		t.hops *= 2
		back := *t
		return t.flight == nil || back.leave(int(back.in))
	}
	if !t.routeTo(dlid) || !t.answer(m, d) {
		return false
	}
	return t.routesBackTo(p, p.at.lid())
}

// routeTo takes the packet to the port that owns dlid: through the forwarding
// tables of switches that have one, and on a shortest way elsewhere.
func (t *trip) routeTo(dlid ib.LID) bool {
	if !dlid.IsUnicast() {
		return false
	}
	if t.arrived().owns(dlid) {
		return true
	}
	if !t.atSwitch() && !t.leave(int(t.in)) {
		return false
	}
	for range maxLIDHops {
		if !t.atSwitch() {
			return t.arrived().owns(dlid)
		}
		out := t.sim.routes.next(t.node, dlid)
		if out == 0 {
			return t.arrived().owns(dlid)
		}
		if out == noRoute {
			t.discard(t.arrived(), DiscardNoRoute)
			return false
		}
		if !t.leave(int(out)) {
			return false
		}
	}
	return false
}

// routesBackTo takes a reply from t to lid, and reports whether p gets it.
func (t *trip) routesBackTo(p *Port, lid ib.LID) bool {
	return t.routeTo(lid) && t.keeper() == p.at
}
