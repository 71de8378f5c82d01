package metrics

import (
	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
)

// counterFamilies are the counters of ports. Those that a port does not have, or that
// were never read, are absent.
func counterFamilies() families {
	return families{
		ofCounter(counters.XmitData, "transmit_data_bytes", "Bytes sent, on all virtual lanes."),
		ofCounter(counters.RcvData, "receive_data_bytes", "Bytes received, on all virtual lanes."),
		ofCounter(counters.XmitWait, "transmit_wait_ticks", "Ticks of the port's own clock in which it had data to send and no credits, or lost arbitration."),
		congestion,
		ofCounter(counters.SymbolErrors, "symbol_errors", "Minor errors of a lane. (SymbolErrorCounter)"),
		ofCounter(counters.LinkErrorRecovery, "link_error_recoveries", "How often the link recovered from errors by training anew. (LinkErrorRecoveryCounter)"),
		ofCounter(counters.LinkDowned, "link_downed", "How often the link failed to recover and went down. (LinkDownedCounter)"),
		ofCounter(counters.RcvErrors, "receive_errors", "Packets received with an error. (PortRcvErrors)"),
		ofCounter(counters.RcvRemotePhysErrors, "receive_remote_physical_errors", "Packets received that were marked as bad by an earlier hop. (PortRcvRemotePhysicalErrors)"),
		ofCounter(counters.RcvSwitchRelayErrors, "receive_switch_relay_errors", "Packets received that the switch could not forward. (PortRcvSwitchRelayErrors)"),
		ofCounter(counters.XmitDiscards, "transmit_discards", "Packets thrown away because the port was down or congested. (PortXmitDiscards)"),
		ofCounter(counters.XmitConstraintErrors, "transmit_constraint_errors", "Packets not sent because of partition or raw filters. (PortXmitConstraintErrors)"),
		ofCounter(counters.RcvConstraintErrors, "receive_constraint_errors", "Packets thrown away on receipt because of partition or raw filters. (PortRcvConstraintErrors)"),
		ofCounter(counters.LocalLinkIntegrity, "local_link_integrity_errors", "How often errors of the link came faster than its threshold. (LocalLinkIntegrityErrors)"),
		ofCounter(counters.ExcessiveBufferOverrun, "excessive_buffer_overrun_errors", "How often buffers overran for several flow control periods in turn. (ExcessiveBufferOverrunErrors)"),
		ofCounter(counters.VL15Dropped, "vl15_dropped", "Subnet management packets dropped for want of buffers. (VL15Dropped)"),
		ofCounter(counters.QP1Dropped, "qp1_dropped", "Packets of general management dropped for want of buffers. (QP1Dropped)"),
		ofDetail(total.LocalPhysicalErrors, "local_physical_errors", "Of the receive errors, those of the link itself."),
		ofDetail(total.MalformedPktErrors, "malformed_packet_errors", "Of the receive errors, malformed packets."),
		ofDetail(total.BufferOverrunErrors, "buffer_overrun_errors", "Of the receive errors, packets for which there was no buffer."),
		ofDetail(total.DLIDMappingErrors, "dlid_mapping_errors", "Of the switch relay errors, packets whose destination is unknown."),
		ofDetail(total.VLMappingErrors, "vl_mapping_errors", "Of the switch relay errors, packets whose virtual lane is unknown."),
		ofDetail(total.LoopingErrors, "looping_errors", "Of the switch relay errors, packets that would go back where they came from."),
		ofDetail(total.InactiveDiscards, "inactive_discards", "Of the discards, those because the port was not active."),
		ofDetail(total.NeighborMTUDiscards, "neighbor_mtu_discards", "Of the discards, packets longer than the far end takes."),
		ofDetail(total.SwLifetimeLimitDiscards, "switch_lifetime_limit_discards", "Of the discards, packets that were too long in the switch."),
		ofDetail(total.SwHOQLifetimeLimitDiscards, "switch_hoq_lifetime_limit_discards", "Of the discards, packets that were too long at the head of a queue."),
		{
			name: "ibscope_port_saturated_counters", kind: gauge, labels: portLabels, part: partCounters,
			help:  "Counters of the port that stand at the end of their field and count no more until somebody resets them.",
			write: perPort(writeSaturated),
		},
		{
			name: "ibscope_port_resets_total", kind: counter, labels: portLabels, part: partCounters,
			help: "How often counters of the port were seen to be lower than before: somebody else reset them, or the device began anew.",
			write: perPort(func(w *writer, v *view, p *portView) {
				if p.total != nil {
					w.uint(p.labels, p.total.Resets)
				}
			}),
		},
		{
			name: "ibscope_port_missed_passes", kind: gauge, labels: portLabels, part: partCounters,
			help: "Passes over the counters since the last one that read the port: 0 where the values are fresh.",
			write: perPort(func(w *writer, v *view, p *portView) {
				if p.total != nil {
					w.uint(p.labels, uint64(max(0, p.total.Missed)))
				}
			}),
		},
		ofCounter(counters.XmitPkts, "transmit_packets", "Packets sent, on all virtual lanes."),
		ofCounter(counters.RcvPkts, "receive_packets", "Packets received, on all virtual lanes."),
		ofCounter(counters.UnicastXmitPkts, "unicast_transmit_packets", "Unicast packets sent."),
		ofCounter(counters.UnicastRcvPkts, "unicast_receive_packets", "Unicast packets received."),
		ofCounter(counters.MulticastXmitPkts, "multicast_transmit_packets", "Multicast packets sent."),
		ofCounter(counters.MulticastRcvPkts, "multicast_receive_packets", "Multicast packets received."),
	}
}

// congestion is not left to a query, because the length of a tick is the port's own
// matter.
var congestion = &family{
	name: "ibscope_port_congestion_ratio", kind: gauge, labels: portLabels, part: partCounters,
	help: "Share of the time between the last two readings, 0 to 1, in which the port had data to send and no credits.",
	write: perPort(func(w *writer, v *view, p *portView) {
		if p.total != nil && p.total.Interval > 0 && p.total.Congestion >= 0 {
			w.float(p.labels, p.total.Congestion)
		}
	}),
}

// ofCounter declares the family of a counter.
func ofCounter(c counters.Counter, word, help string) *family {
	return &family{
		name: "ibscope_port_" + word + "_total", help: help, kind: counter, labels: portLabels, part: partCounters,
		write: perPort(func(w *writer, v *view, p *portView) { writeCounter(w, p, c) }),
	}
}

// ofDetail declares the family of a detail, which is there where details are read.
func ofDetail(d total.Detail, word, help string) *family {
	value := valueOf(d.String())
	return &family{
		name: "ibscope_port_" + word + "_total", help: help + " (" + d.String() + ")", kind: counter, labels: portLabels, part: partCounters,
		write: perPort(func(w *writer, v *view, p *portView) { writeValue(w, p, value, 1) }),
	}
}

// writeCounter writes a counter of a port that has it.
func writeCounter(w *writer, p *portView, c counters.Counter) {
	if p.total != nil && p.total.Has.Has(c) {
		w.uint(p.labels, p.total.Values[c])
	}
}

func writeSaturated(w *writer, v *view, p *portView) {
	if p.total == nil {
		return
	}
	n := uint64(0)
	for range (p.total.Saturated & p.total.Has).All() {
		n++
	}
	w.uint(p.labels, n)
}
