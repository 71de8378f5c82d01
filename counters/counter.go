package counters

import (
	"iter"
	"math/bits"
)

// Counter is one of the counters of PortCounters and PortCountersExtended, which
// have them in different widths (IBA vol. 1, 16.1.3.5 and 16.1.4).
type Counter uint8

// The counters. Data is counted in words of 4 bytes.
const (
	XmitData Counter = iota
	RcvData
	XmitPkts
	RcvPkts
	UnicastXmitPkts // from here to MulticastRcvPkts in PortCountersExtended only
	UnicastRcvPkts
	MulticastXmitPkts
	MulticastRcvPkts
	SymbolErrors
	LinkErrorRecovery
	LinkDowned
	RcvErrors
	RcvRemotePhysErrors
	RcvSwitchRelayErrors
	XmitDiscards
	XmitConstraintErrors
	RcvConstraintErrors
	LocalLinkIntegrity
	ExcessiveBufferOverrun
	VL15Dropped
	XmitWait // ticks, whose length is the agent's own matter
	QP1Dropped

	NumCounters = iota
)

// counterNames are the names in the C tools, and in data.
var counterNames = [NumCounters][2]string{
	XmitData: {"PortXmitData", "xmit_data"}, RcvData: {"PortRcvData", "rcv_data"},
	XmitPkts: {"PortXmitPkts", "xmit_pkts"}, RcvPkts: {"PortRcvPkts", "rcv_pkts"},
	UnicastXmitPkts: {"PortUnicastXmitPkts", "unicast_xmit_pkts"}, UnicastRcvPkts: {"PortUnicastRcvPkts", "unicast_rcv_pkts"},
	MulticastXmitPkts: {"PortMulticastXmitPkts", "multicast_xmit_pkts"}, MulticastRcvPkts: {"PortMulticastRcvPkts", "multicast_rcv_pkts"},
	SymbolErrors: {"SymbolErrorCounter", "symbol_errors"}, LinkErrorRecovery: {"LinkErrorRecoveryCounter", "link_error_recovery"},
	LinkDowned: {"LinkDownedCounter", "link_downed"}, RcvErrors: {"PortRcvErrors", "rcv_errors"},
	RcvRemotePhysErrors:  {"PortRcvRemotePhysicalErrors", "rcv_remote_phys_errors"},
	RcvSwitchRelayErrors: {"PortRcvSwitchRelayErrors", "rcv_switch_relay_errors"},
	XmitDiscards:         {"PortXmitDiscards", "xmit_discards"}, XmitConstraintErrors: {"PortXmitConstraintErrors", "xmit_constraint_errors"},
	RcvConstraintErrors: {"PortRcvConstraintErrors", "rcv_constraint_errors"}, LocalLinkIntegrity: {"LocalLinkIntegrityErrors", "local_link_integrity"},
	ExcessiveBufferOverrun: {"ExcessiveBufferOverrunErrors", "excessive_buffer_overrun"},
	VL15Dropped:            {"VL15Dropped", "vl15_dropped"}, XmitWait: {"PortXmitWait", "xmit_wait"}, QP1Dropped: {"QP1Dropped", "qp1_dropped"},
}

// String is the name that the C tools print, "SymbolErrorCounter".
func (c Counter) String() string { return c.name(0) }

// Field is the name in JSON, "symbol_errors": that of the attribute's field.
func (c Counter) Field() string { return c.name(1) }

func (c Counter) name(kind int) string {
	if int(c) < len(counterNames) {
		return counterNames[c][kind]
	}
	return "unknown"
}

// ByName finds a counter by the name that the C tools print.
func ByName(name string) (Counter, bool) {
	for c := range counterNames {
		if counterNames[c][0] == name {
			return Counter(c), true
		}
	}
	return 0, false
}

// Set is a set of counters.
type Set uint32

// Sets of counters.
const (
	Traffic Set = 1<<(MulticastRcvPkts+1) - 1 // data and packets
	All     Set = 1<<NumCounters - 1
	Errors  Set = All &^ Traffic // with discards, and XmitWait

	basicTraffic = Traffic &^ ietf
	ietf         = 1<<UnicastXmitPkts | 1<<UnicastRcvPkts | 1<<MulticastXmitPkts | 1<<MulticastRcvPkts
)

// SetOf is the set of some counters.
func SetOf(list ...Counter) Set {
	var s Set
	for _, c := range list {
		s |= 1 << c
	}
	return s
}

// Has reports whether c is in the set.
func (s Set) Has(c Counter) bool { return s>>c&1 != 0 }

// All yields the counters of the set, in order.
func (s Set) All() iter.Seq[Counter] {
	return func(yield func(Counter) bool) {
		for rest := s & All; rest != 0; rest &= rest - 1 {
			if !yield(Counter(bits.TrailingZeros32(uint32(rest)))) {
				return
			}
		}
	}
}
