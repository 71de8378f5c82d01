package sim

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// trip is a packet under way: the node where it is, the port that it came in
// by (0 on a switch where it started), and how many cables it has crossed.
type trip struct {
	sim  *Fabric
	node *fabric.Node
	in   uint8
	hops int
}

// leave takes the packet out through port num of its node, over the cable and
// into the peer. It reports false where there is no way: no such port, no link
// there, or a fault.
func (t *trip) leave(num int) bool {
	out := t.node.Port(num)
	if !isUp(out) || t.sim.faults.blocks(out) || t.sim.faults.blocks(out.Remote()) {
		return false
	}
	peer := out.Remote()
	t.node, t.in = peer.Node(), uint8(peer.Num())
	t.hops++
	return true
}

func (t *trip) atSwitch() bool { return t.node.Type() == ib.NodeSwitch }

// isUp reports whether packets of subnet management cross the cable at p: both
// ends must be physically up, their logical state does not matter. An end whose
// state is not known counts as up.
func isUp(p *fabric.Port) bool {
	return p != nil && p.Remote() != nil && mayBeUp(p) && mayBeUp(p.Remote())
}

// offPhysState is the byte of PortInfo whose high half is the physical state.
const offPhysState = 33

func mayBeUp(p *fabric.Port) bool {
	raw := p.InfoBytes()
	if raw == nil {
		return true
	}
	state := ib.PhysState(raw[offPhysState] >> 4)
	return state == ib.PhysLinkUp || state == ib.PhysNoChange
}
