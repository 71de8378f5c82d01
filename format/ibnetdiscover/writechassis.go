package ibnetdiscover

import (
	"iter"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// chassis prints a chassis: its spines and lines by slot, then its other nodes.
func (p *printer) chassis(c *fabric.Chassis) {
	p.text("\nChassis ")
	p.dec(c.Number)
	if c.GUID != 0 {
		p.text(" (guid 0x")
		p.hex(uint64(c.GUID))
		p.text(")")
	}
	p.end()
	host := p.hostName(c)
	p.section("Spine Nodes", slices.Values(c.Spines), host)
	p.section("Line Nodes", slices.Values(c.Lines), host)
	p.section("Chassis Switches", nodesOf(c, ib.NodeSwitch), host)
	p.section("Chassis CAs", nodesOf(c, ib.NodeCA, ib.NodeRouter), host)
}

// hostName prints the host names of a Xsigo chassis, which are the descriptions
// of its host adapters, and gives the last one.
func (p *printer) hostName(c *fabric.Chassis) string {
	host := ""
	if !fabric.IsXsigo(c.GUID) {
		return host
	}
	for _, n := range c.Nodes {
		if fabric.IsXsigoHCA(n.GUID()) {
			host = cleanDescription(n.Description())
			p.text("Hostname: ", host)
			p.end()
		}
	}
	return host
}

func (p *printer) section(title string, nodes iter.Seq[*fabric.Node], host string) {
	p.text("\n# ", title)
	for n := range nodes {
		if n != nil {
			p.block(n, host, "")
		}
	}
}

// nodesOf yields the nodes of a chassis without a slot, type by type.
func nodesOf(c *fabric.Chassis, types ...ib.NodeType) iter.Seq[*fabric.Node] {
	return func(yield func(*fabric.Node) bool) {
		for _, t := range types {
			for _, n := range c.Nodes {
				if n.Type() == t && !yield(n) {
					return
				}
			}
		}
	}
}
