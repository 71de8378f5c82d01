package sim

import (
	"encoding/binary"

	"github.com/ibscope/ibscope/fabric"
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
		ok := t.leave(int(t.in)) && t.answer(m, d)
		t.hops *= 2
		return ok
	}
	if !t.routeTo(dlid) || !t.answer(m, d) {
		return false
	}
	return t.routesBackTo(p, baseLID(p.node, p.num))
}

// routeTo takes the packet to the port that owns dlid: through the forwarding
// tables of switches that have one, and on a shortest way elsewhere.
func (t *trip) routeTo(dlid ib.LID) bool {
	if !dlid.IsUnicast() {
		return false
	}
	if owns(t.node, t.in, dlid) {
		return true
	}
	if !t.atSwitch() && !t.leave(int(t.in)) {
		return false
	}
	for range maxLIDHops {
		if !t.atSwitch() {
			return owns(t.node, t.in, dlid)
		}
		out := t.sim.routes.next(t.node, dlid)
		if out == 0 {
			return owns(t.node, 0, dlid)
		}
		if out == noRoute || !t.leave(int(out)) {
			return false
		}
	}
	return false
}

// routesBackTo takes a reply from t to lid, and reports whether p gets it.
func (t *trip) routesBackTo(p *Port, lid ib.LID) bool {
	if !t.routeTo(lid) || t.node != p.node {
		return false
	}
	return t.atSwitch() || t.in == p.num
}

// Bytes of PortInfo.
const (
	offLID = 16
	offLMC = 34
)

// owns reports whether lid is one of the port's LIDs. Those of a switch are at
// its port 0.
func owns(n *fabric.Node, num uint8, lid ib.LID) bool {
	raw := lidHolder(n, num)
	if raw == nil {
		return false
	}
	base := binary.BigEndian.Uint16(raw[offLID:])
	return base != 0 && uint16(lid)-base < 1<<(raw[offLMC]&7)
}

func baseLID(n *fabric.Node, num uint8) ib.LID {
	if raw := lidHolder(n, num); raw != nil {
		return ib.LID(binary.BigEndian.Uint16(raw[offLID:]))
	}
	return 0
}

// lidHolder is the PortInfo that holds the LID of a port, nil if not known.
func lidHolder(n *fabric.Node, num uint8) *[mad.DataSize]byte {
	if n.Type() == ib.NodeSwitch {
		num = 0
	}
	if p := n.Port(int(num)); p != nil {
		return p.InfoBytes()
	}
	return nil
}
