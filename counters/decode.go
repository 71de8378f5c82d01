package counters

import (
	"math"

	"github.com/ibscope/ibscope/mad/pma"
)

// Ends of counters by their width.
const (
	end4  = 1<<4 - 1
	end8  = math.MaxUint8
	end16 = math.MaxUint16
	end32 = math.MaxUint32
	end64 = math.MaxUint64
)

// takeBasic takes what PortCounters has and PortCountersExtended has not.
func (s *Sample) takeBasic(data *[dataSize]byte) {
	var v pma.PortCounters
	v.Decode(data)
	has := s.Agent.basic() &^ s.Has
	s.put(has, XmitData, uint64(v.XmitData), end32)
	s.put(has, RcvData, uint64(v.RcvData), end32)
	s.put(has, XmitPkts, uint64(v.XmitPkts), end32)
	s.put(has, RcvPkts, uint64(v.RcvPkts), end32)
	s.put(has, SymbolErrors, uint64(v.SymbolErrors), end16)
	s.put(has, LinkErrorRecovery, uint64(v.LinkErrorRecovery), end8)
	s.put(has, LinkDowned, uint64(v.LinkDowned), end8)
	s.put(has, RcvErrors, uint64(v.RcvErrors), end16)
	s.put(has, RcvRemotePhysErrors, uint64(v.RcvRemotePhysErrors), end16)
	s.put(has, RcvSwitchRelayErrors, uint64(v.RcvSwitchRelayErrors), end16)
	s.put(has, XmitDiscards, uint64(v.XmitDiscards), end16)
	s.put(has, XmitConstraintErrors, uint64(v.XmitConstraintErrors), end8)
	s.put(has, RcvConstraintErrors, uint64(v.RcvConstraintErrors), end8)
	s.put(has, LocalLinkIntegrity, uint64(v.LocalLinkIntegrity), end4)
	s.put(has, ExcessiveBufferOverrun, uint64(v.ExcessiveBufferOverrun), end4)
	s.put(has, VL15Dropped, uint64(v.VL15Dropped), end16)
	s.put(has, XmitWait, uint64(v.XmitWait), end32)
	s.put(has, QP1Dropped, uint64(v.QP1Dropped), end16)
}

func (s *Sample) takeExtended(data *[dataSize]byte) {
	var v pma.PortCountersExtended
	v.Decode(data)
	has := s.Agent.extended()
	s.put(has, XmitData, v.XmitData, end64)
	s.put(has, RcvData, v.RcvData, end64)
	s.put(has, XmitPkts, v.XmitPkts, end64)
	s.put(has, RcvPkts, v.RcvPkts, end64)
	s.put(has, UnicastXmitPkts, v.UnicastXmitPkts, end64)
	s.put(has, UnicastRcvPkts, v.UnicastRcvPkts, end64)
	s.put(has, MulticastXmitPkts, v.MulticastXmitPkts, end64)
	s.put(has, MulticastRcvPkts, v.MulticastRcvPkts, end64)
	if has&Errors == 0 {
		return
	}
	s.put(has, SymbolErrors, v.SymbolErrors, end64)
	s.put(has, LinkErrorRecovery, v.LinkErrorRecovery, end64)
	s.put(has, LinkDowned, v.LinkDowned, end64)
	s.put(has, RcvErrors, v.RcvErrors, end64)
	s.put(has, RcvRemotePhysErrors, v.RcvRemotePhysErrors, end64)
	s.put(has, RcvSwitchRelayErrors, v.RcvSwitchRelayErrors, end64)
	s.put(has, XmitDiscards, v.XmitDiscards, end64)
	s.put(has, XmitConstraintErrors, v.XmitConstraintErrors, end64)
	s.put(has, RcvConstraintErrors, v.RcvConstraintErrors, end64)
	s.put(has, LocalLinkIntegrity, v.LocalLinkIntegrity, end64)
	s.put(has, ExcessiveBufferOverrun, v.ExcessiveBufferOverrun, end64)
	s.put(has, VL15Dropped, v.VL15Dropped, end64)
	s.put(has, XmitWait, v.XmitWait, end64)
	s.put(has, QP1Dropped, v.QP1Dropped, end64)
}

// put sets a counter if it is one of a set.
func (s *Sample) put(has Set, c Counter, v, end uint64) {
	if !has.Has(c) {
		return
	}
	s.Values[c] = v
	s.Has |= 1 << c
	if end == end64 {
		s.Wide |= 1 << c
	}
	if v == end {
		s.Saturated |= 1 << c
	}
}
