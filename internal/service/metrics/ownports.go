package metrics

import (
	"strconv"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/model"
	"github.com/ibscope/ibscope/ib"
)

const portLabels = "fabric,guid,port"

// portFamilies say how ports and links are, and what they lead to.
func portFamilies() families {
	return families{
		port("ibscope_port_state", "Logical state of the port: 1 down, 2 initialize, 3 armed, 4 active, 5 active deferred.",
			func(w *writer, v *view, p *portView) {
				if p.State() != ib.PortNoChange {
					w.uint(p.labels, uint64(p.State()))
				}
			}),
		port("ibscope_port_physical_state", "Physical state of the port: 1 sleep, 2 polling, 3 disabled, 4 training, 5 link up, 6 error recovery, 7 phy test.",
			func(w *writer, v *view, p *portView) {
				if p.PhysState() != ib.PhysNoChange {
					w.uint(p.labels, uint64(p.PhysState()))
				}
			}),
		port("ibscope_port_width_lanes", "Lanes in use, of a port that is up.",
			func(w *writer, v *view, p *portView) {
				if n := p.Active().Width.Lanes(); n > 0 && isUp(p) {
					w.uint(p.labels, uint64(n))
				}
			}),
		port("ibscope_port_lane_rate_bytes_per_second", "Data rate of one lane after its line code, of a port that is up: 3.125e+09 for EDR.",
			func(w *writer, v *view, p *portView) {
				if r := ib.RateGbps(ib.Width1x, p.Active().Speed); r > 0 && isUp(p) {
					w.float(p.labels, bytesPerSecond(r))
				}
			}),
		port("ibscope_port_rate_bytes_per_second", "Data rate of the port after its line code, in each direction, of a port that is up.",
			func(w *writer, v *view, p *portView) {
				if r := rateGbps(p.Active()); r > 0 && isUp(p) {
					w.float(p.labels, bytesPerSecond(r))
				}
			}),
		port("ibscope_port_best_rate_bytes_per_second", "Fastest data rate that both ends of the link support.",
			func(w *writer, v *view, p *portView) {
				if p.peer == nil {
					return
				}
				if r := rateGbps(p.link.Best()); r > 0 {
					w.float(p.labels, bytesPerSecond(r))
				}
			}),
		port("ibscope_port_degraded", "1 where the link runs narrower or slower than both of its ends support, of a link that is up.",
			func(w *writer, v *view, p *portView) {
				if p.peer != nil && isUp(p) {
					w.flag(p.labels, p.link.IsDegraded())
				}
			}),
		{
			name: "ibscope_link_info", kind: gauge, part: partGraph,
			labels: portLabels + ",name,label,remote_guid,remote_port,remote_name,remote_label,remote_type",
			help:   "Always 1: what the port is connected to. Each link has a series for each of its ends.",
			write:  perPort(writeLink),
		},
	}
}

// port declares a gauge of ports that follows from the graph.
func port(name, help string, write func(*writer, *view, *portView)) *family {
	return &family{name: name, help: help, kind: gauge, labels: portLabels, part: partGraph, write: perPort(write)}
}

// perPort writes for one port after the other.
func perPort(write func(*writer, *view, *portView)) func(*writer, *view) {
	return func(w *writer, v *view) {
		for i := range v.ports {
			write(w, v, &v.ports[i])
		}
	}
}

// isUp tells a port whose width and speed mean something.
func isUp(p *portView) bool { return p.State() > ib.PortDown }

// rateGbps is the data rate of a width and a speed.
func rateGbps(r fabric.LinkRate) float64 { return ib.RateGbps(r.Width, r.Speed) }

// bytesPerSecond is a rate in the unit that all metrics have.
func bytesPerSecond(gbps float64) float64 { return gbps * 1e9 / 8 }

func writeLink(w *writer, v *view, p *portView) {
	if p.peer == nil {
		return
	}
	w.uint(v.ofFabric(
		"guid", p.Node().GUID().String(), "port", strconv.Itoa(p.Num()),
		"name", v.name(p.Node()), "label", panelLabel(p.Port),
		"remote_guid", p.peer.Node().GUID().String(), "remote_port", strconv.Itoa(p.peer.Num()),
		"remote_name", v.name(p.peer.Node()), "remote_label", panelLabel(p.peer),
		"remote_type", p.peer.Node().Type().String(),
	), 1)
}

// panelLabel is what stands beside a port.
func panelLabel(p *fabric.Port) string {
	if n := p.ExternalNum(); n > 0 {
		return strconv.Itoa(n)
	}
	info := p.Node().Info()
	whole := p.Active().Width == ib.Width4x
	return model.PortLabel(info.VendorID, info.DeviceID, p.Node().NumPorts(), p.Num(), whole)
}
