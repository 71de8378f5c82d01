package ibnetdiscover

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// id prints the quoted identifier of a node, as "S-0008f10400410015".
func (p *printer) id(n *fabric.Node) {
	letter := "?"
	switch n.Type() {
	case ib.NodeSwitch:
		letter = "S"
	case ib.NodeCA:
		letter = "H"
	case ib.NodeRouter:
		letter = "R"
	}
	p.text(`"`, letter, "-")
	p.guid(n.GUID())
	p.text(`"`)
}

// header prints the lines of a node that come before its ports. Every line but
// the last starts with idPrefix, the last one with nodePrefix; host is the host
// name of its chassis, if it has one.
func (p *printer) header(n *fabric.Node, host, idPrefix, nodePrefix string) {
	p.ids(n, host, idPrefix)
	info := n.Info()
	switch n.Type() {
	case ib.NodeSwitch:
		p.text(idPrefix, "switchguid=0x")
		p.hex(uint64(n.GUID()))
		p.text("(")
		p.hex(uint64(info.PortGUID))
		p.text(")")
		if p.opts.Grouped {
			p.place(n)
		}
	default:
		p.text(idPrefix, nodeWord(n, "ca", "rt"), "guid=0x")
		p.hex(uint64(n.GUID()))
	}
	p.end()
	p.nodeLine(n, nodePrefix)
	if p.opts.Grouped && n.Type() != ib.NodeSwitch && fabric.IsXsigoHCA(n.GUID()) {
		p.text(" (scp)")
	}
	p.end()
}

// ids prints vendor, device and system image, and in a grouped listing the
// chassis.
func (p *printer) ids(n *fabric.Node, host, prefix string) {
	info := n.Info()
	p.end()
	p.text(prefix, "vendid=0x")
	p.hex(uint64(info.VendorID))
	p.end()
	p.text(prefix, "devid=0x")
	p.hex(uint64(info.DeviceID))
	p.end()
	inChassis := p.opts.Grouped && n.Chassis() != nil
	if info.SystemImageGUID != 0 {
		p.text(prefix, "sysimgguid=0x")
		p.hex(uint64(info.SystemImageGUID))
	}
	if inChassis {
		p.text("\t\t# Chassis ")
		p.dec(n.Chassis().Number)
		if host != "" {
			p.text(" (", host, ")")
		}
		if peer := n.Port(1); fabric.IsXsigoTCA(n.GUID()) && peer != nil && peer.Remote() != nil {
			p.text(" slot ")
			p.dec(peer.Remote().Num())
		}
	}
	if info.SystemImageGUID != 0 || inChassis {
		p.end()
	}
}

// place prints the type of a switch's chassis and its slot.
func (p *printer) place(n *fabric.Node) {
	p.text("\t# ")
	if n.Chassis() == nil {
		return
	}
	slot := n.Slot()
	if slot.Type != "" {
		p.text(cleanDescription(slot.Type), " ")
	}
	p.text(slot.String())
}

// nodeLine prints the line that names a node, without its end.
func (p *printer) nodeLine(n *fabric.Node, prefix string) {
	p.text(prefix, nodeWord(n, "Ca", "Rt"), "\t")
	p.dec(n.NumPorts())
	p.text(" ")
	p.id(n)
	p.text("\t\t# \"")
	if n.Type() != ib.NodeSwitch {
		// The name of a CA in its own line never comes from the map.
		p.text(cleanDescription(n.Description()), `"`)
		return
	}
	kind := "base"
	if sw, _ := n.SwitchInfo(); sw.EnhancedPort0 {
		kind = "enhanced"
	}
	p.text(p.name(n), `" `, kind, " port 0 lid ")
	p.dec(switchLID(n))
	p.text(" lmc ")
	lmc := 0
	if zero := n.Port(0); zero != nil {
		lmc = int(zero.LMC())
	}
	p.dec(lmc)
}

func nodeWord(n *fabric.Node, ca, router string) string {
	switch n.Type() {
	case ib.NodeSwitch:
		return "Switch"
	case ib.NodeCA:
		return ca
	case ib.NodeRouter:
		return router
	}
	return "???"
}
