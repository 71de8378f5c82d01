package metrics

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// guilbaultsLabels are those of guilbaults/infiniband-exporter: both ends with their
// names, and only ports of links that are active. The GUIDs are written as
// ibqueryerrors writes them, that of the far end alone with all its digits.
var guilbaultsLabels = labelling{
	node: func(v *view, n *fabric.Node) string { return labels("guid", n.GUID().String()) },
	port: func(v *view, p *fabric.Port) string {
		component := "ca"
		if p.Node().Type() == ib.NodeSwitch {
			component = "switch"
		}
		far := p.Remote()
		return labels(
			"component", component, "local_name", v.name(p.Node()),
			"local_guid", fmt.Sprintf("0x%x", uint64(p.GUID())), "local_port", strconv.Itoa(p.Num()),
			"remote_guid", far.GUID().String(), "remote_port", strconv.Itoa(far.Num()), "remote_name", v.name(far.Node()),
		)
	},
	want: func(p *fabric.Port) bool {
		t := p.Node().Type()
		return p.Remote() != nil && p.Num() > 0 && p.State() == ib.PortActive && p.PhysState() == ib.PhysLinkUp &&
			(t == ib.NodeSwitch || t == ib.NodeCA)
	},
}

const guilbaultsPort = "component,local_name,local_guid,local_port,remote_guid,remote_port,remote_name"

// guilbaultsCounters are the counters by the names of the C tools, which are those of
// the metrics in small letters.
var guilbaultsCounters = []string{
	"PortXmitData", "PortRcvData", "PortXmitWait", "SymbolErrorCounter", "LinkErrorRecoveryCounter", "LinkDownedCounter",
	"PortRcvErrors", "PortRcvRemotePhysicalErrors", "PortXmitDiscards", "PortXmitConstraintErrors", "PortRcvConstraintErrors",
	"LocalLinkIntegrityErrors", "ExcessiveBufferOverrunErrors", "VL15Dropped",
	"PortLocalPhysicalErrors", "PortMalformedPktErrors", "PortBufferOverrunErrors", "PortDLIDMappingErrors",
	"PortInactiveDiscards", "PortNeighborMTUDiscards", "PortSwLifetimeLimitDiscards", "PortSwHOQLifetimeLimitDiscards",
	"PortXmitPkts", "PortRcvPkts", "PortUnicastXmitPkts", "PortUnicastRcvPkts", "PortMulticastXmitPkts", "PortMulticastRcvPkts",
}

// guilbaultsFamilies are the names of guilbaults/infiniband-exporter 0.0.7. Data is in
// words of 4 bytes there.
func guilbaultsFamilies() families {
	return slices.Concat(guilbaultsSelf(), guilbaultsErrors(), families{
		{
			name: "infiniband_speed", kind: gauge, labels: guilbaultsPort, part: partGraph,
			help: "Gigabits per second that each lane signals.",
			write: perPort(func(w *writer, v *view, p *portView) {
				if s := p.Active().Speed.LaneMbps(); s > 0 {
					w.float(p.labels, s/1000)
				}
			}),
		},
		{
			name: "infiniband_width", kind: gauge, labels: guilbaultsPort, part: partGraph,
			help: "Lanes of the link.",
			write: perPort(func(w *writer, v *view, p *portView) {
				if n := p.Active().Width.Lanes(); n > 0 {
					w.uint(p.labels, uint64(n))
				}
			}),
		},
	}, guilbaultsOfPorts())
}

func guilbaultsOfPorts() families {
	var out families
	for _, name := range guilbaultsCounters {
		value, divisor, help := valueOf(name), uint64(1), name+" of a port."
		if strings.HasSuffix(name, "Data") {
			divisor, help = 4, name+" of a port, in words of 4 bytes."
		}
		out = append(out, &family{
			name: "infiniband_" + strings.ToLower(name) + "_total", kind: counter, labels: guilbaultsPort, help: help, part: partCounters,
			write: perPort(func(w *writer, v *view, p *portView) { writeValue(w, p, value, divisor) }),
		})
	}
	return out
}

// guilbaultsSelf are about the scrape. That exporter has one for the page, so only the
// first fabric tells of it.
func guilbaultsSelf() families {
	return families{
		guilbaultsScrape("infiniband_scrape_ok", "1 if nothing was missing in the last pass over the counters.",
			func(w *writer, v *view) { w.flag("", v.state.Connected && v.state.Pass.Complete) }),
		guilbaultsScrape("infiniband_scrape_duration_seconds", "How long the last pass over the counters took.",
			func(w *writer, v *view) { w.float("", v.state.Pass.Duration.Seconds()) }),
		guilbaultsScrape("infiniband_ibqueryerrors_duration_seconds", "How long the last pass over the counters took: nothing else is run.",
			func(w *writer, v *view) { w.float("", v.state.Pass.Duration.Seconds()) }),
	}
}

func guilbaultsScrape(name, help string, write func(*writer, *view)) *family {
	return &family{name: name, help: help, kind: gauge, write: func(w *writer, v *view) {
		if v.first {
			write(w, v)
		}
	}}
}
