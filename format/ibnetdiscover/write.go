package ibnetdiscover

import (
	"io"
	"slices"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Write prints the topology: a header, then switches, CAs and routers with
// their links, each type in reverse canonical order. The only errors are those
// of w.
func Write(w io.Writer, f *fabric.Fabric, o *Options) error {
	p := newPrinter(w, o)
	nodes := slices.Collect(f.Nodes())
	slices.Reverse(nodes)
	p.fileHeader(f)
	if p.opts.Grouped {
		for _, c := range f.Chassis() {
			p.chassis(c)
		}
		p.end()
		p.text("Non-Chassis Nodes")
		p.end()
	}
	for _, t := range []ib.NodeType{ib.NodeSwitch, ib.NodeCA, ib.NodeRouter} {
		for _, n := range nodes {
			if n.Type() == t && !(p.opts.Grouped && n.Chassis() != nil) {
				p.block(n, "", "")
			}
		}
	}
	return p.flush()
}

func (p *printer) fileHeader(f *fabric.Fabric) {
	when := p.opts.Time
	if when.IsZero() {
		when = f.Sweep().Started
	}
	p.text("#\n# Topology file")
	if !when.IsZero() {
		p.text(": generated on ", when.Format(time.ANSIC))
	}
	p.text("\n#\n")
	if p.opts.MaxHops {
		p.text("# Reported max hops discovered: ")
		p.dec(f.Sweep().MaxHops)
		p.text("\n# Total MADs used: ")
		p.dec(f.Sweep().SMPs)
		p.end()
	}
	if start := f.Start(); start != nil {
		p.text("# Initiated from node ")
		p.guid(start.Node().GUID())
		p.text(" port ")
		p.guid(start.Node().Info().PortGUID)
		p.end()
	}
}
