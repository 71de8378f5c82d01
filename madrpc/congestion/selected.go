package congestion

import "github.com/ibscope/ibscope/mad/cc"

// Bits of SwitchCongestionSetting.ControlMap: the fields that a Set changes.
const (
	ControlMarkingRate uint32 = 1 << iota
	ControlCreditStarvation
	ControlThreshold // and the packet size
	ControlCreditMask
	ControlVictimMask
)

// SwitchAfter is what a Set makes of the setting of a switch: what the control map
// does not name stays.
func SwitchAfter(have, set cc.SwitchCongestionSetting) cc.SwitchCongestionSetting {
	m := set.ControlMap
	have.ControlMap = m
	if m&ControlMarkingRate != 0 {
		have.MarkingRate = set.MarkingRate
	}
	if m&ControlCreditStarvation != 0 {
		have.CSThreshold, have.CSReturnDelay = set.CSThreshold, set.CSReturnDelay
	}
	if m&ControlThreshold != 0 {
		have.Threshold, have.PacketSize = set.Threshold, set.PacketSize
	}
	if m&ControlCreditMask != 0 {
		have.CreditMask = set.CreditMask
	}
	if m&ControlVictimMask != 0 {
		have.VictimMask = set.VictimMask
	}
	return have
}

// AdapterAfter is what a Set makes of the setting of an adapter: service levels
// that the control map does not name stay.
func AdapterAfter(have, set cc.CACongestionSetting) cc.CACongestionSetting {
	have.PortControl, have.ControlMap = set.PortControl, set.ControlMap
	for sl := range have.SLs {
		if set.ControlMap>>sl&1 != 0 {
			have.SLs[sl] = set.SLs[sl]
		}
	}
	return have
}
