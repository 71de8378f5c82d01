package metrics

import (
	"slices"
	"strconv"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// treydockLabels are those of treydock/infiniband_exporter: nodes and ports go by the
// port GUID, as ibnetdiscover --ports prints it, and a port without a link is not
// there.
var treydockLabels = labelling{
	node: func(v *view, n *fabric.Node) string { return labels("guid", treydockGUID(n).String()) },
	port: func(v *view, p *fabric.Port) string {
		return labels("guid", p.GUID().String(), "port", strconv.Itoa(p.Num()))
	},
	want: func(p *fabric.Port) bool {
		t := p.Node().Type()
		return p.Remote() != nil && p.Num() > 0 && (t == ib.NodeSwitch || t == ib.NodeCA)
	},
}

// treydockGUID is the GUID by which a node goes: that of its first linked port.
func treydockGUID(n *fabric.Node) ib.GUID {
	for p := range n.Ports() {
		if p.Remote() != nil {
			return p.GUID()
		}
	}
	return n.GUID()
}

// device is half of the set: switches or adapters.
type device struct {
	word string // "switch", "hca": in names, and of the label with the node's name
	kind ib.NodeType
}

var (
	treydockSwitch = device{"switch", ib.NodeSwitch}
	treydockHCA    = device{"hca", ib.NodeCA}
)

// treydockFamilies are the names of treydock/infiniband_exporter 0.10, with the one
// that is misspelt there also spelt right.
func treydockFamilies() families {
	return slices.Concat(
		treydockSelf(),
		treydockSwitch.infos(), treydockHCA.infos(),
		treydockSwitch.collections(), treydockHCA.collections(),
		treydockSwitch.rates(), treydockHCA.rates(),
		treydockSwitch.counters(), treydockHCA.counters(),
		treydockHardware(),
	)
}

// treydockCounters are the names of counters, by what perfquery calls them.
var treydockCounters = []struct {
	word   string
	source string
}{
	{"transmit_data_bytes", "PortXmitData"},
	{"receive_data_bytes", "PortRcvData"},
	{"transmit_packets", "PortXmitPkts"},
	{"receive_packets", "PortRcvPkts"},
	{"unicast_transmit_packets", "PortUnicastXmitPkts"},
	{"unicast_receive_packets", "PortUnicastRcvPkts"},
	{"multicast_transmit_packets", "PortMulticastXmitPkts"},
	{"multicast_receive_packets", "PortMulticastRcvPkts"},
	{"symbol_error", "SymbolErrorCounter"},
	{"link_error_recovery", "LinkErrorRecoveryCounter"},
	{"link_downed", "LinkDownedCounter"},
	{"receive_errors", "PortRcvErrors"},
	{"receive_remote_physical_errors", "PortRcvRemotePhysicalErrors"},
	{"receive_switch_relay_errors", "PortRcvSwitchRelayErrors"},
	{"transmit_discards", "PortXmitDiscards"},
	{"transmit_constraint_errors", "PortXmitConstraintErrors"},
	{"receive_constraint_errors", "PortRcvConstraintErrors"},
	{"local_link_integrity_errors", "LocalLinkIntegrityErrors"},
	{"excessive_buffer_overrun_errors", "ExcessiveBufferOverrunErrors"},
	{"vl15_dropped", "VL15Dropped"},
	{"transmit_wait", "PortXmitWait"},
	{"qp1_dropped", "QP1Dropped"},
	{"local_physical_errors", "PortLocalPhysicalErrors"},
	{"malformed_packet_errors", "PortMalformedPktErrors"},
	{"buffer_overrun_errors", "PortBufferOverrunErrors"},
	{"dli_mapping_errors", "PortDLIDMappingErrors"},
	{"dlid_mapping_errors", "PortDLIDMappingErrors"},
	{"vl_mapping_errors", "PortVLMappingErrors"},
	{"looping_errors", "PortLoopingErrors"},
}

func (d device) counters() families {
	var out families
	for _, c := range treydockCounters {
		value := valueOf(c.source)
		out = append(out, &family{
			name: "infiniband_" + d.word + "_port_" + c.word + "_total", kind: counter, labels: "guid,port", part: partCounters,
			help:  c.source + " of a port of a " + d.word + ".",
			write: d.perPort(func(w *writer, v *view, p *portView) { writeValue(w, p, value, 1) }),
		})
	}
	return out
}

// perPort writes for the ports of this half.
func (d device) perPort(write func(*writer, *view, *portView)) func(*writer, *view) {
	return perPort(func(w *writer, v *view, p *portView) {
		if p.Node().Type() == d.kind {
			write(w, v, p)
		}
	})
}

// valueOf gives a counter of a port by the name that the C tools have for it, false where
// it was never read. One that is in no attribute that is always read is a detail.
func valueOf(name string) func(*total.Port) (uint64, bool) {
	if c, ok := counters.ByName(name); ok {
		return func(p *total.Port) (uint64, bool) { return p.Values[c], p.Has.Has(c) }
	}
	d, _ := total.DetailByName(name) // the names of tables are checked by tests
	return func(p *total.Port) (uint64, bool) { return p.Details.Value(d) }
}

// writeValue writes a counter of a port that has it, divided by something.
func writeValue(w *writer, p *portView, value func(*total.Port) (uint64, bool), divisor uint64) {
	if p.total == nil {
		return
	}
	if n, ok := value(p.total); ok {
		w.uint(p.labels, n/divisor)
	}
}
