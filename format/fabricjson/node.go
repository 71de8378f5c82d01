package fabricjson

import (
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

func (w *writer) node(n *fabric.Node) {
	info := n.Info()
	w.text("guid", n.GUID().String())
	w.text("type", n.Type().String())
	w.description(n)
	w.number("num_ports", int64(n.NumPorts()))
	w.text("system_image_guid", info.SystemImageGUID.String())
	w.text("vendor_id", fmt.Sprintf("0x%06x", info.VendorID))
	w.text("device_id", fmt.Sprintf("0x%04x", info.DeviceID))
	w.number("revision", int64(info.Revision))
	if path, ok := n.Path(); ok {
		w.text("path", path.String())
	}
	if sw, ok := n.SwitchInfo(); ok {
		w.object("switch_info", func() {
			w.number("linear_fdb_cap", int64(sw.LinearFDBCap))
			w.number("linear_fdb_top", int64(sw.LinearFDBTop))
			w.number("multicast_fdb_cap", int64(sw.MulticastFDBCap))
			w.flag("enhanced_port0", sw.EnhancedPort0)
		})
	}
	w.place(n)
	w.key("ports")
	w.open('[')
	for p := range n.Ports() {
		w.open('{')
		w.port(p)
		w.close('}')
	}
	w.close(']')
}

// description writes the text, and its bytes too where they are not UTF-8.
func (w *writer) description(n *fabric.Node) {
	if !n.HasDescription() {
		return
	}
	d := n.Description()
	w.text("description", d)
	if !utf8.ValidString(d) {
		w.text("description_hex", hex.EncodeToString([]byte(d)))
	}
	if name, ok := w.name(n); ok {
		w.text("name", name)
	}
}

var slotKinds = map[fabric.SlotKind]string{fabric.SlotLine: "line", fabric.SlotSpine: "spine", fabric.SlotRouter: "router"}

// place writes where the node sits in a chassis.
func (w *writer) place(n *fabric.Node) {
	c := n.Chassis()
	if c == nil {
		return
	}
	w.object("chassis", func() {
		w.number("number", int64(c.Number))
		if c.GUID != 0 {
			w.text("guid", c.GUID.String())
		}
		slot := n.Slot()
		if kind, ok := slotKinds[slot.Kind]; ok {
			w.text("slot_kind", kind)
			w.number("slot", int64(slot.Number))
			w.number("chip", int64(slot.Chip))
		}
		if slot.Type != "" {
			w.text("type", slot.Type)
		}
	})
}

func (w *writer) port(p *fabric.Port) {
	w.number("port", int64(p.Num()))
	w.text("guid", p.GUID().String())
	if p.ExternalNum() != 0 {
		w.number("external", int64(p.ExternalNum()))
	}
	if info, ok := p.Info(); ok {
		w.portInfo(p, &info)
	}
	if r := p.Remote(); r != nil {
		w.object("peer", func() {
			w.text("guid", r.Node().GUID().String())
			w.number("port", int64(r.Num()))
		})
	}
}

// portInfo writes what is known of a PortInfo; one from a file has few fields,
// and the others zero.
func (w *writer) portInfo(p *fabric.Port, info *smp.PortInfo) {
	w.number("lid", int64(p.LID()))
	w.number("lmc", int64(p.LMC()))
	if info.SMLID != 0 {
		w.number("sm_lid", int64(info.SMLID))
	}
	if info.State != ib.PortNoChange {
		w.text("state", info.State.String())
	}
	if info.PhysState != ib.PhysNoChange {
		w.text("phys_state", info.PhysState.String())
	}
	w.rate("active", p.Active())
	w.rates("enabled", p.Enabled())
	w.rates("supported", p.Supported())
	w.size("mtu_bytes", info.NeighborMTU)
	w.size("mtu_cap_bytes", info.MTUCap)
	if info.CapMask != 0 {
		w.text("capability_mask", fmt.Sprintf("0x%08x", info.CapMask))
	}
}

func (w *writer) size(name string, m ib.MTU) {
	if n := m.Bytes(); n != 0 {
		w.number(name, int64(n))
	}
}

// rates writes a set of widths and a set of speeds.
func (w *writer) rates(name string, r fabric.LinkRate) {
	if r == (fabric.LinkRate{}) {
		return
	}
	w.object(name, func() {
		w.set("widths", r.Width.String())
		w.set("speeds", r.Speed.String())
	})
}

// set writes the members of a set of package ib in its text form.
func (w *writer) set(name, text string) {
	w.key(name)
	w.open('[')
	if text != "none" {
		for member := range strings.SplitSeq(text, " or ") {
			w.comma()
			w.b = appendString(w.b, member)
		}
	}
	w.close(']')
}

// rate writes the one width and speed in use, and the data rate they give.
func (w *writer) rate(name string, r fabric.LinkRate) {
	if r == (fabric.LinkRate{}) {
		return
	}
	w.object(name, func() {
		w.text("width", r.Width.String())
		w.text("speed", r.Speed.String())
		if gbps := ib.RateGbps(r.Width, r.Speed); gbps > 0 {
			w.float("rate_gbps", gbps, -1)
		}
	})
}
