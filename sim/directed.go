package sim

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// directedExchange carries out a directed-route request (IBA vol. 1, 14.2.2).
// It has up to three parts: LID routed from the sender to the switch where the
// directed part starts (only if DrSLID is a LID), directed, and LID routed from
// its end to DrDLID (only if that is a LID).
//
// Where the directed part starts at the sender the link-level LID does not
// matter, as in the kernel. The reply takes the same cables back.
func (t *trip) directedExchange(m *mad.Packet, p *Port, dlid ib.LID, d *delivery) bool {
	if m.IsReturning() || m.HopCount() > ib.MaxHops {
		return false
	}
	start := *t
	startsHere := m.DrSLID() == ib.PermissiveLID
	if !startsHere {
		if !t.routeTo(dlid) {
			return false
		}
		start = *t
		d.from.LID = dlid
	}
	isSet := m.Method() == mad.MethodSet
	if !t.followPath(m, startsHere) || !t.answer(m, d) {
		return false
	}
	t.hops *= 2
	if (isSet || t.flight != nil || t.sim.monitor.Load() != nil) && m.DrDLID() == ib.PermissiveLID {
		if back := *t; !back.retrace(m) {
			return false // the Set took down a link that the reply needs, or the way back is its end
		}
	}
	m.SetReturning(true)
	m.SetHopPointer(0)
	return startsHere || start.routesBackTo(p, m.DrSLID())
}

// followPath is what each node on the way does with an outgoing directed-route
// SMP (rules 1 to 5 of C14-9), until an agent gets it. The rules are written
// for any hop pointer, so a sender that does not start with 0 gets what it
// would from hardware.
func (t *trip) followPath(m *mad.Packet, startsHere bool) bool {
	count := int(m.HopCount())
	for atSender := startsHere; ; atSender = false {
		pointer := int(m.HopPointer())
		switch {
		case pointer == 0 && count != 0:
			if !t.leaveFirst(m, atSender) {
				return false
			}
		case pointer < count:
			if !t.atSwitch() {
				return false // adapters do not forward
			}
			m.ReturnPath()[pointer] = t.in
			if !t.hop(m) {
				return false
			}
		case pointer == count:
			if count != 0 {
				m.ReturnPath()[pointer] = t.in
			}
			m.SetHopPointer(uint8(count) + 1)
			return m.DrDLID() == ib.PermissiveLID || t.atSwitch() && t.routeTo(m.DrDLID())
		default: // the LID-routed end of the way, else nonsense
			return pointer == count+1
		}
	}
}

// retrace takes the way back that the return path tells.
func (t *trip) retrace(m *mad.Packet) bool {
	for i := int(m.HopCount()); i > 0; i-- {
		out := m.ReturnPath()[i]
		if out == 0 && t.atSwitch() {
			t.in = 0
			continue
		}
		if !t.leave(int(out)) {
			return false
		}
	}
	return true
}

// leaveFirst takes the first hop. An adapter sends only what starts on it, and
// only through the port that the sender has opened.
func (t *trip) leaveFirst(m *mad.Packet, atSender bool) bool {
	if !t.atSwitch() && (!atSender || m.InitialPath()[1] != t.in) {
		return false
	}
	return t.hop(m)
}

// hop advances the hop pointer and leaves through the port that the initial
// path names. Port 0 of a switch leads to the switch itself.
func (t *trip) hop(m *mad.Packet) bool {
	pointer := m.HopPointer() + 1
	m.SetHopPointer(pointer)
	out := int(m.InitialPath()[pointer])
	if out == 0 && t.atSwitch() {
		t.in = 0
		return true
	}
	return t.leave(out)
}
