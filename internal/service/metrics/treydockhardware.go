package metrics

import "github.com/ibscope/ibscope/ib"

// treydockHardware are the metrics that ibswinfo is asked for there: power supplies,
// fans and temperature, as far as they are known.
func treydockHardware() families {
	return families{
		{
			name: "infiniband_switch_hardware_info", kind: gauge, labels: "guid,firmware_version,psid,part_number,serial_number,switch",
			help: "Always 1: what a switch is made of.",
			write: perHardware(func(w *writer, v *view, n *nodeView, h *Hardware) {
				w.uint(labels("guid", treydockGUID(n.Node).String(), "firmware_version", h.Firmware, "psid", h.PSID,
					"part_number", h.PartNumber, "serial_number", h.SerialNumber, "switch", v.name(n.Node)), 1)
			}),
		},
		ofHardware("uptime_seconds", "guid", "How long the switch has been on.", func(w *writer, n *nodeView, h *Hardware) {
			if h.Uptime > 0 {
				w.float(n.labels, h.Uptime.Seconds())
			}
		}),
		ofSupply("status_info", "Always 1: the status of a power supply.", func(s *Supply) string { return s.Status }),
		ofSupply("dc_power_status_info", "Always 1: the status of what a power supply gives.", func(s *Supply) string { return s.DC }),
		ofSupply("fan_status_info", "Always 1: the status of the fan of a power supply.", func(s *Supply) string { return s.Fan }),
		ofHardware("power_supply_watts", "guid,psu", "Power that a power supply gives.", func(w *writer, n *nodeView, h *Hardware) {
			for i := range h.Supplies {
				if s := &h.Supplies[i]; s.HasWatts {
					w.float(labels("guid", treydockGUID(n.Node).String(), "psu", s.ID), s.Watts)
				}
			}
		}),
		ofHardware("temperature_celsius", "guid", "Temperature of the switch.", func(w *writer, n *nodeView, h *Hardware) {
			if h.HasTemp {
				w.float(n.labels, h.Temperature)
			}
		}),
		ofHardware("fan_status_info", "guid,status", "Always 1: the status of all fans.", func(w *writer, n *nodeView, h *Hardware) {
			if h.FanStatus != "" {
				w.uint(labels("guid", treydockGUID(n.Node).String(), "status", h.FanStatus), 1)
			}
		}),
		ofHardware("fan_rpm", "guid,fan", "Speed of a fan, in turns per minute.", func(w *writer, n *nodeView, h *Hardware) {
			for _, f := range h.Fans {
				w.float(labels("guid", treydockGUID(n.Node).String(), "fan", f.ID), f.RPM)
			}
		}),
	}
}

// perHardware writes for each switch of which something is known.
func perHardware(write func(*writer, *view, *nodeView, *Hardware)) func(*writer, *view) {
	return func(w *writer, v *view) {
		for i := range v.nodes {
			n := &v.nodes[i]
			if n.Type() != ib.NodeSwitch {
				continue
			}
			if h := v.hardware(n.GUID()); h != nil {
				write(w, v, n, h)
			}
		}
	}
}

func ofHardware(word, names, help string, write func(*writer, *nodeView, *Hardware)) *family {
	return &family{
		name: "infiniband_switch_" + word, kind: gauge, labels: names, help: help,
		write: perHardware(func(w *writer, v *view, n *nodeView, h *Hardware) { write(w, n, h) }),
	}
}

func ofSupply(word, help string, status func(*Supply) string) *family {
	return ofHardware("power_supply_"+word, "guid,psu,status", help, func(w *writer, n *nodeView, h *Hardware) {
		for i := range h.Supplies {
			if s := status(&h.Supplies[i]); s != "" {
				w.uint(labels("guid", treydockGUID(n.Node).String(), "psu", h.Supplies[i].ID, "status", s), 1)
			}
		}
	})
}
