package counterdump

import "strings"

// pmNames are the names in .pm files that are no other writing of perfquery's.
var pmNames = map[string]string{
	"symbol_error_counter":                "SymbolErrorCounter",
	"link_error_recovery_counter":         "LinkErrorRecoveryCounter",
	"link_down_counter":                   "LinkDownedCounter",
	"link_downed_counter":                 "LinkDownedCounter",
	"port_rcv_errors":                     "PortRcvErrors",
	"port_rcv_remote_physical_errors":     "PortRcvRemotePhysicalErrors",
	"port_rcv_switch_relay_errors":        "PortRcvSwitchRelayErrors",
	"port_xmit_discard":                   "PortXmitDiscards",
	"port_xmit_discards":                  "PortXmitDiscards",
	"port_xmit_constraint_errors":         "PortXmitConstraintErrors",
	"port_rcv_constraint_errors":          "PortRcvConstraintErrors",
	"local_link_integrity_errors":         "LocalLinkIntegrityErrors",
	"excesive_buffer_errors":              "ExcessiveBufferOverrunErrors",
	"excessive_buffer_errors":             "ExcessiveBufferOverrunErrors",
	"excessive_buffer_overrun_errors":     "ExcessiveBufferOverrunErrors",
	"vl15_dropped":                        "VL15Dropped",
	"vl15_dropped_errors":                 "VL15Dropped",
	"port_xmit_wait":                      "PortXmitWait",
	"qp1_dropped":                         "QP1Dropped",
	"port_xmit_data":                      "PortXmitData",
	"port_rcv_data":                       "PortRcvData",
	"port_xmit_pkts":                      "PortXmitPkts",
	"port_rcv_pkts":                       "PortRcvPkts",
	"port_unicast_xmit_pkts":              "PortUnicastXmitPkts",
	"port_unicast_rcv_pkts":               "PortUnicastRcvPkts",
	"port_multicast_xmit_pkts":            "PortMulticastXmitPkts",
	"port_multicast_rcv_pkts":             "PortMulticastRcvPkts",
	"PortUniCastXmitPkts":                 "PortUnicastXmitPkts",
	"PortUniCastRcvPkts":                  "PortUnicastRcvPkts",
	"PortMultiCastXmitPkts":               "PortMulticastXmitPkts",
	"PortMultiCastRcvPkts":                "PortMulticastRcvPkts",
	"PortMalformedPacketErrors":           "PortMalformedPktErrors",
	"port_local_physical_errors":          "PortLocalPhysicalErrors",
	"port_malformed_packet_errors":        "PortMalformedPktErrors",
	"port_buffer_overrun_errors":          "PortBufferOverrunErrors",
	"port_dlid_mapping_errors":            "PortDLIDMappingErrors",
	"port_vl_mapping_errors":              "PortVLMappingErrors",
	"port_looping_errors":                 "PortLoopingErrors",
	"port_inactive_discards":              "PortInactiveDiscards",
	"port_neighbor_mtu_discards":          "PortNeighborMTUDiscards",
	"port_sw_lifetime_limit_discards":     "PortSwLifetimeLimitDiscards",
	"port_sw_hoq_lifetime_limit_discards": "PortSwHOQLifetimeLimitDiscards",
}

// nameOf is perfquery's name for a counter, and whether the name that the tool
// gave it says that it is one of 64 bits.
func nameOf(name string) (string, bool) {
	wide := false
	for _, suffix := range []string{"_extended", "_ext", "Extended", "Ext"} {
		if short, ok := strings.CutSuffix(name, suffix); ok && short != "" {
			name, wide = short, true
			break
		}
	}
	switch name {
	case "PortUniCastXmitPkts", "PortUniCastRcvPkts", "PortMultiCastXmitPkts", "PortMultiCastRcvPkts",
		"port_unicast_xmit_pkts", "port_unicast_rcv_pkts", "port_multicast_xmit_pkts", "port_multicast_rcv_pkts":
		wide = true // there is no other
	}
	if known, ok := pmNames[name]; ok {
		return known, wide
	}
	return strings.Clone(name), wide
}
