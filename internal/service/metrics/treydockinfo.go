package metrics

import (
	"strconv"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// infos are the metrics to join with.
func (d device) infos() families {
	return families{
		{
			name: "infiniband_" + d.word + "_info", kind: gauge, labels: "guid," + d.word + ",lid", part: partGraph,
			help:  "Always 1: a " + d.word + " of the fabric.",
			write: d.perDevice(func(w *writer, v *view, p *portView) { w.uint(d.infoLabels(v, p), 1) }),
		},
		{
			name: "infiniband_" + d.word + "_uplink_info", kind: gauge, part: partGraph,
			labels: "guid,port," + d.word + ",uplink,uplink_guid,uplink_type,uplink_port,uplink_lid",
			help:   "Always 1: what is at the other end of a port of a " + d.word + ".",
			write: d.perPort(func(w *writer, v *view, p *portView) {
				w.uint(labels(
					"guid", p.GUID().String(), "port", strconv.Itoa(p.Num()), d.word, v.name(p.Node()),
					"uplink", v.name(p.peer.Node()), "uplink_guid", p.peer.GUID().String(), "uplink_type", shortType(p.peer.Node()),
					"uplink_port", strconv.Itoa(p.peer.Num()), "uplink_lid", strconv.Itoa(int(p.peer.LID())),
				), 1)
			}),
		},
	}
}

func (d device) infoLabels(v *view, p *portView) string {
	return labels("guid", p.GUID().String(), d.word, v.name(p.Node()), "lid", strconv.Itoa(int(p.LID())))
}

// perDevice writes once for each GUID of this half: a switch has one, an adapter has
// one for each port.
func (d device) perDevice(write func(*writer, *view, *portView)) func(*writer, *view) {
	return func(w *writer, v *view) {
		seen := map[ib.GUID]bool{}
		for i := range v.ports {
			p := &v.ports[i]
			if p.Node().Type() == d.kind && !seen[p.GUID()] {
				seen[p.GUID()] = true
				write(w, v, p)
			}
		}
	}
}

// shortType is the type of a node as ibnetdiscover --ports prints it.
func shortType(n *fabric.Node) string {
	switch n.Type() {
	case ib.NodeSwitch:
		return "SW"
	case ib.NodeRouter:
		return "RT"
	}
	return "CA"
}

// rates are what the links can carry: the data, and with the line code.
func (d device) rates() families {
	if d.kind == ib.NodeCA {
		return families{
			d.rate("rate", "guid", "Data rate of the adapter's port.", d.perDevice, rateGbps),
			d.rate("raw_rate", "guid", "Rate at which the adapter's port signals.", d.perDevice, rawGbps),
		}
	}
	return families{
		d.rate("port_rate", "guid,port", "Data rate of the switch port.", d.perPort, rateGbps),
		d.rate("port_raw_rate", "guid,port", "Rate at which the switch port signals.", d.perPort, rawGbps),
	}
}

// rate declares a metric of rates.
func (d device) rate(word, names, help string, each func(func(*writer, *view, *portView)) func(*writer, *view), gbps func(fabric.LinkRate) float64) *family {
	return &family{
		name: "infiniband_" + d.word + "_" + word + "_bytes_per_second", kind: gauge, labels: names, help: help, part: partGraph,
		write: each(func(w *writer, v *view, p *portView) {
			l := p.labels
			if names == "guid" {
				l = labels("guid", p.GUID().String())
			}
			if r := gbps(p.Active()); r > 0 {
				w.float(l, bytesPerSecond(r))
			}
		}),
	}
}

// rawGbps is the rate with the line code.
func rawGbps(r fabric.LinkRate) float64 { return float64(r.Width.Lanes()) * r.Speed.LaneMbps() / 1000 }
