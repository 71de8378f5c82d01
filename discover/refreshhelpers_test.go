package discover_test

import (
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
)

// setPortInfo sets a PortInfo as a manager does, and tells what went wrong.
func setPortInfo(s *sim.Fabric, at sim.Place, v smp.PortInfo) string {
	var data [mad.DataSize]byte
	v.State, v.PhysState = 0, 0
	v.Encode(&data)
	if status := s.Direct(at, mad.MethodSet, smp.AttrPortInfo, uint32(at.Port), &data); status != mad.StatusOK {
		return ": " + status.Error()
	}
	return ""
}
