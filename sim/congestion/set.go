package congestion

import (
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/cc"
)

// Bits of SwitchCongestionSetting.ControlMap: what a Set changes.
const (
	setMarkingRate = 1 << iota
	setCreditStarvation
	setThreshold // and the packet size
	setCreditMask
	setVictimMask
)

// set carries out a Set whose key is right.
func (s *state) set(m *mad.Packet) mad.Status {
	if status := s.has(m.AttrID(), m.Modifier()); status != mad.StatusOK {
		return status
	}
	if m.AttrID() == cc.AttrCongestionLog {
		return mad.StatusUnsupportedAttr
	}
	b := (*[192]byte)(m.Data())
	switch m.AttrID() {
	case cc.AttrCongestionKeyInfo:
		var v cc.CongestionKeyInfo
		v.Decode(b)
		s.key.Value, s.key.Protect, s.key.Violations = v.CCKey, v.Protect, v.Violations
		s.key.Lease = time.Duration(v.LeasePeriod) * time.Second
		m.SetClassKey(v.CCKey) // who has set the key may see it in the reply
	case cc.AttrSwitchCongestionSetting:
		s.setSwitch(b)
	case cc.AttrSwitchPortCongestionSetting:
		s.swPorts[m.Modifier()].Decode(b)
		s.dropBeyond()
	case cc.AttrCACongestionSetting:
		s.setCA(b)
	case cc.AttrCongestionControlTable:
		var v cc.CongestionControlTable
		v.Decode(b)
		if v.Limit >= tableBlocks*cc.EntriesPerBlock {
			return mad.StatusInvalidValue
		}
		s.table[m.Modifier()], s.limit = v, v.Limit
	default:
		return mad.StatusUnsupportedAttr
	}
	return mad.StatusOK
}

// setSwitch changes the fields that the control map names.
func (s *state) setSwitch(b *[192]byte) {
	var v cc.SwitchCongestionSetting
	v.Decode(b)
	s.sw.ControlMap = v.ControlMap
	if v.ControlMap&setMarkingRate != 0 {
		s.sw.MarkingRate = v.MarkingRate
	}
	if v.ControlMap&setCreditStarvation != 0 {
		s.sw.CSThreshold, s.sw.CSReturnDelay = v.CSThreshold, v.CSReturnDelay
	}
	if v.ControlMap&setThreshold != 0 {
		s.sw.Threshold, s.sw.PacketSize = v.Threshold, v.PacketSize
	}
	if v.ControlMap&setCreditMask != 0 {
		s.sw.CreditMask = v.CreditMask
	}
	if v.ControlMap&setVictimMask != 0 {
		s.sw.VictimMask = v.VictimMask
	}
}

// dropBeyond forgets settings of ports that the switch does not have.
func (s *state) dropBeyond() {
	last := &s.swPorts[len(s.swPorts)-1]
	for i := s.ports%cc.PortsPerBlock + 1; i < cc.PortsPerBlock; i++ {
		last.Ports[i] = cc.PortSetting{}
	}
}

// setCA changes the service levels that the control map names.
func (s *state) setCA(b *[192]byte) {
	var v cc.CACongestionSetting
	v.Decode(b)
	s.ca.PortControl, s.ca.ControlMap = v.PortControl, v.ControlMap
	for sl := range v.SLs {
		if v.ControlMap>>sl&1 != 0 {
			s.ca.SLs[sl] = v.SLs[sl]
		}
	}
}
