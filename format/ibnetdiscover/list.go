package ibnetdiscover

import (
	"io"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// WriteList prints one line for each node of the given types: CAs, then
// switches, then routers, each in reverse canonical order. No types stands for
// all three (-l). Only Names of the options counts. The only errors are those
// of w.
func WriteList(w io.Writer, f *fabric.Fabric, o *Options, types ...ib.NodeType) error {
	p := newPrinter(w, o)
	nodes := slices.Collect(f.Nodes())
	for _, t := range []ib.NodeType{ib.NodeCA, ib.NodeSwitch, ib.NodeRouter} {
		if len(types) > 0 && !slices.Contains(types, t) {
			continue
		}
		for _, n := range slices.Backward(nodes) {
			if n.Type() == t {
				p.listLine(n)
			}
		}
	}
	return p.flush()
}

func (p *printer) listLine(n *fabric.Node) {
	info := n.Info()
	p.text(nodeWord(n, "Ca", "Router"), "\t : 0x")
	p.guid(n.GUID())
	p.text(" ports ")
	p.dec(n.NumPorts())
	p.text(" devid 0x")
	p.hex(uint64(info.DeviceID))
	p.text(" vendid 0x")
	p.hex(uint64(info.VendorID))
	p.text(` "`, p.name(n), `"`)
	p.end()
}
