package sm

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
)

// island is the nodes that are joined by switches, in the order of a
// breadth-first search, and their ports that have LIDs. Adapters and routers
// take part with the port that was reached.
type island struct {
	switches []*fabric.Node
	ends     []sim.Place
}

// explore finds the island of a place. Seen is all places that have been
// reached; it grows.
func (m *Manager) explore(start sim.Place, seen map[sim.Place]bool) (is island) {
	queue := []sim.Place{start}
	seen[start] = true
	for ; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		is.ends = append(is.ends, at)
		first, last := at.Port, at.Port
		if isSwitch(at.Node) {
			is.switches = append(is.switches, at.Node)
			first, last = 1, at.Node.NumPorts()
		}
		for num := first; num <= last; num++ {
			peer, ok := m.sim.Peer(sim.Place{Node: at.Node, Port: num})
			if !ok {
				continue
			}
			if isSwitch(peer.Node) {
				peer.Port = 0
			}
			if !seen[peer] {
				seen[peer] = true
				queue = append(queue, peer)
			}
		}
	}
	return is
}

// choosePlaces finds where the managers run: in each island with a link one.
func (m *Manager) choosePlaces() (places []sim.Place) {
	seen := map[sim.Place]bool{}
	for n := range m.sim.Model().Nodes() {
		first, last := 1, n.NumPorts()
		if isSwitch(n) {
			first, last = 0, 0
		}
		for num := first; num <= last; num++ {
			at := sim.Place{Node: n, Port: num}
			if seen[at] {
				continue
			}
			if is := m.explore(at, seen); len(is.ends) > 1 || isSwitch(n) {
				places = append(places, m.choosePlace(is))
			}
		}
	}
	return places
}

// choosePlace prefers the port that is known as that of the manager, then those
// that say they have one, the port the fabric was swept from, and adapters.
func (m *Manager) choosePlace(is island) sim.Place {
	best, bestScore := is.ends[0], -1
	start := m.sim.Model().Start()
	for _, at := range is.ends {
		info, ok := m.portInfo(at, at.Port)
		score := 0
		if !ok {
			continue
		}
		if !isSwitch(at.Node) {
			score++
		}
		if start != nil && start.Node() == at.Node && start.Num() == at.Port {
			score += 2
		}
		if info.CapMask&smp.CapIsSM != 0 {
			score += 4
		}
		if info.SMLID != 0 && info.SMLID == info.LID {
			score += 8
		}
		if info.CapMask&smp.CapSMDisabled != 0 {
			score = 0
		}
		if score > bestScore {
			best, bestScore = at, score
		}
	}
	return best
}

// portInfo reads the PortInfo of port num of the node at a place.
func (m *Manager) portInfo(at sim.Place, num int) (v smp.PortInfo, ok bool) {
	var data [mad.DataSize]byte
	if m.sim.Direct(at, mad.MethodGet, smp.AttrPortInfo, uint32(num), &data) != mad.StatusOK {
		return v, false
	}
	v.Decode(&data)
	return v, true
}

// setPortInfo writes a PortInfo back. State 0 leaves the state.
func (m *Manager) setPortInfo(at sim.Place, num int, v smp.PortInfo, state ib.PortState) {
	var data [mad.DataSize]byte
	v.State, v.PhysState = state, ib.PhysNoChange
	v.Encode(&data)
	_ = m.sim.Direct(at, mad.MethodSet, smp.AttrPortInfo, uint32(num), &data)
}

func isSwitch(n *fabric.Node) bool { return n.Type() == ib.NodeSwitch }
