package sim

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// trip is a packet under way: the node where it is, the port that it came in
// by (0 on a switch where it started), and how many cables it has crossed.
type trip struct {
	sim     *Fabric
	node    *node
	in      uint8
	isData  bool   // general services: needs links that are active
	hasPKey bool   // pkey is not the default one
	pkey    uint16 // of general services
	sender  ib.LID // of general services
	target  ib.LID // of general services
	hops    int
	scratch *[mad.DataSize]byte // for the agent
	flight  *flight             // nil without Physics
}

// leave takes the packet out through port num of its node, over the cable and
// into the peer. It reports false where there is no way: no such port, no link
// there, or a fault.
func (t *trip) leave(num int) bool {
	out := t.node.port(num)
	if out == nil {
		return false
	}
	peer := out.peer.Load()
	if peer == nil || out.quick.Load()&peer.quick.Load()&quickUp == 0 ||
		t.sim.faults.blocks(out) || t.sim.faults.blocks(peer) {
		t.discard(out, DiscardInactive)
		return false
	}
	if t.isData && !t.mayCross(out, peer) {
		return false
	}
	if t.sim.swallows(out, peer) || t.flight != nil && !t.flight.cross(out, peer) {
		return false
	}
	if m := t.sim.monitor.Load(); m != nil {
		(*m).Crossed(out.place(), peer.place())
	}
	t.node, t.in = peer.node, peer.num
	t.hops++
	return true
}

// mayCross are the conditions for packets of general services.
func (t *trip) mayCross(out, in *port) bool {
	switch {
	case !out.has(quickActive) || !in.has(quickActive|quickArmed):
		t.discard(out, DiscardInactive)
		return false
	case out.node.isSwitch && out.has(quickEnforceOut) && !t.inPartition(out):
		return t.refuse(out)
	case in.node.isSwitch && in.has(quickEnforceIn) && !t.inPartition(in):
		return t.refuse(in)
	}
	if in.has(quickArmed) {
		t.sim.activate(in)
	}
	return true
}

// discard tells the monitor where the packet ended.
func (t *trip) discard(at *port, why Discard) {
	if m := t.sim.monitor.Load(); m != nil {
		(*m).Discarded(at.place(), why)
	}
}

func (t *trip) atSwitch() bool { return t.node.isSwitch }

// arrived is the port that the packet came in by.
func (t *trip) arrived() *port { return &t.node.ports[t.in] }

// keeper is the port that has LID and M_Key where the packet is.
func (t *trip) keeper() *port { return t.node.keeper(int(t.in)) }

// isUp reports whether the model tells that the link at p is up: an end whose
// state is not known counts as up.
func isUp(p *fabric.Port) bool {
	return p != nil && p.Remote() != nil && mayBeUp(p) && mayBeUp(p.Remote())
}

func mayBeUp(p *fabric.Port) bool {
	raw := p.InfoBytes()
	if raw == nil {
		return true
	}
	state := ib.PhysState(raw[offPhysState] >> 4)
	return state == ib.PhysLinkUp || state == ib.PhysNoChange
}
