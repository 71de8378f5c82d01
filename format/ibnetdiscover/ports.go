package ibnetdiscover

import (
	"io"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// WritePorts prints the ports report (-p): one line for each known port except
// port 0, nodes in reverse canonical order, the highest port of each first.
// Only Names of the options counts. The only errors are those of w.
func WritePorts(w io.Writer, f *fabric.Fabric, o *Options) error {
	p := newPrinter(w, o)
	nodes := slices.Collect(f.Nodes())
	for _, n := range slices.Backward(nodes) {
		for num := n.NumPorts(); num > 0; num-- {
			if port := n.Port(num); port != nil {
				p.portLine(port)
			}
		}
	}
	return p.flush()
}

func (p *printer) portLine(port *fabric.Port) {
	rate := port.Active()
	if !knowsSpeed(port) {
		rate = fabric.LinkRate{}
	}
	p.portEnd(port)
	p.text(" ", widthName(rate.Width), " ", speedName(rate.Speed))
	name := p.name(port.Node())
	if peer := port.Remote(); peer != nil {
		p.text(" - ")
		p.portEnd(peer)
		p.text(" ( '", name, "' - '", p.name(peer.Node()), "' )")
	} else {
		p.text("                                    '", name, "'")
	}
	p.end()
}

// portEnd prints one end of a link.
func (p *printer) portEnd(port *fabric.Port) {
	kind := "??"
	switch port.Node().Type() {
	case ib.NodeSwitch:
		kind = "SW"
	case ib.NodeCA:
		kind = "CA"
	case ib.NodeRouter:
		kind = "RT"
	}
	p.text(kind, " ")
	p.decPad(5, lid(port))
	p.text(" ")
	p.decPad(2, port.Num())
	p.text(" 0x")
	p.guid(port.GUID())
}
