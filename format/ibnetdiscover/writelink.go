package ibnetdiscover

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// block prints a node with all its links.
func (p *printer) block(n *fabric.Node, host, prefix string) {
	p.header(n, host, prefix, prefix)
	for port := range n.Ports() {
		if port.Num() > 0 && port.Remote() != nil {
			p.link(port, prefix)
		}
	}
}

// link prints the line of a port that has a peer.
func (p *printer) link(port *fabric.Port, prefix string) {
	if port.Node().Type() == ib.NodeSwitch {
		p.switchLink(port, prefix)
		return
	}
	p.caLink(port, prefix)
}

func (p *printer) switchLink(port *fabric.Port, prefix string) {
	peer := port.Remote()
	p.text(prefix, "[")
	p.dec(port.Num())
	p.text("]")
	p.external(port)
	p.text("\t")
	p.id(peer.Node())
	p.text("[")
	p.dec(peer.Num())
	p.text("]")
	p.external(peer)
	if peer.Node().Type() != ib.NodeSwitch {
		p.text("(")
		p.hex(uint64(peer.GUID()))
		p.text(") ")
	}
	p.text("\t\t# ")
	p.peer(port)
	switch {
	case fabric.IsXsigoTCA(peer.GUID()):
		p.text(" slot ")
		p.dec(port.Num())
	case fabric.IsXsigoHCA(peer.GUID()):
		p.text(" (scp)")
	}
	p.end()
}

func (p *printer) caLink(port *fabric.Port, prefix string) {
	peer := port.Remote()
	p.text(prefix, "[")
	p.dec(port.Num())
	p.text("](")
	p.hex(uint64(port.GUID()))
	p.text(") \t")
	p.id(peer.Node())
	p.text("[")
	p.dec(peer.Num())
	p.text("]")
	p.external(peer)
	if peer.Node().Type() != ib.NodeSwitch {
		p.text(" (")
		p.hex(uint64(peer.GUID()))
		p.text(") ")
	}
	p.text("\t\t# lid ")
	p.dec(int(port.LID()))
	p.text(" lmc ")
	p.dec(int(port.LMC()))
	p.text(" ")
	p.peer(port)
	p.end()
}

// external prints the front panel number of a port in a grouped listing.
func (p *printer) external(port *fabric.Port) {
	if p.opts.Grouped && port.ExternalNum() != 0 {
		p.text("[ext ")
		p.dec(port.ExternalNum())
		p.text("]")
	}
}

// peer prints name and LID of the node at the other end, and how fast the link
// runs.
func (p *printer) peer(port *fabric.Port) {
	rate := port.Active()
	if !knowsSpeed(port) {
		rate.Speed = 0
	}
	p.text(`"`, p.name(port.Remote().Node()), `" lid `)
	p.dec(lid(port.Remote()))
	p.text(" ", widthName(rate.Width), speedName(rate.Speed))
	if !p.opts.Full {
		return
	}
	info, _ := port.Info()
	if !knowsSpeed(port) {
		info.LinkSpeedActive = 0
	}
	p.text(" s=")
	p.dec(int(info.LinkSpeedActive))
	p.text(" w=")
	p.dec(int(info.LinkWidthActive))
	p.text(" v=")
	p.dec(int(info.VLCap))
}
