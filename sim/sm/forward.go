package sm

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
)

// forward writes the tables of switches that do not ask Next: those that lost
// theirs with their power, and those whose fabric came with tables that lead to
// the manager no longer, or are not of the engine that was asked for.
func (m *Manager) forward(s *Subnet) {
	for _, sw := range s.Switches {
		if m.written[sw] || m.isLost(s, sw) {
			m.written[sw] = true
			m.write(s, sw)
		}
	}
}

// isLost looks at the way to the manager.
func (m *Manager) isLost(s *Subnet, sw *fabric.Node) bool {
	want := s.Tables().Next(sw, s.SMLID)
	var block [route.BlockSize]byte
	if m.sim.Direct(sim.Place{Node: sw}, mad.MethodGet, smp.AttrLinearForwardingTable, uint32(s.SMLID/route.BlockSize), &block) != mad.StatusOK {
		return false
	}
	have := block[s.SMLID%route.BlockSize]
	if have == want {
		return false
	}
	_, leads := m.sim.Peer(sim.Place{Node: sw, Port: int(have)})
	return m.options.Engine != "" || !leads
}

// write brings a switch's table to what the engine says, where it differs.
func (m *Manager) write(s *Subnet, sw *fabric.Node) {
	at := sim.Place{Node: sw}
	for block := range int(s.Tables().TopLID())/route.BlockSize + 1 {
		var want, have [route.BlockSize]byte
		s.Tables().Block(sw, block, &want)
		_ = m.sim.Direct(at, mad.MethodGet, smp.AttrLinearForwardingTable, uint32(block), &have)
		if want != have {
			_ = m.sim.Direct(at, mad.MethodSet, smp.AttrLinearForwardingTable, uint32(block), &want)
		}
	}
}
