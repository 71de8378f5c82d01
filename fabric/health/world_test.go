package health

import (
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim/gen"
)

func generate(t *testing.T, text string) *fabric.Fabric {
	t.Helper()
	f, err := gen.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// fault is what is changed in a copy of a fabric.
type fault struct {
	port func(p *fabric.Port, info *smp.PortInfo) // changes PortInfo
	node func(n *fabric.Node, info *smp.NodeInfo)
	cut  func(l fabric.Link) bool // links that are unplugged
	join func(b *fabric.Builder, copyOf func(*fabric.Port) *fabric.Port)
}

// damaged copies a fabric with a fault.
func damaged(t *testing.T, f *fabric.Fabric, x *fault) *fabric.Fabric {
	t.Helper()
	c := copier{t: t, b: fabric.NewBuilder(), fault: x, copies: map[*fabric.Node]*fabric.Node{}, unplugged: map[*fabric.Port]bool{}}
	for l := range f.Links() {
		if x.cut != nil && x.cut(l) {
			c.unplugged[l.A], c.unplugged[l.B] = true, true
		}
	}
	for n := range f.Nodes() {
		c.node(n)
	}
	for l := range f.Links() {
		if !c.unplugged[l.A] {
			c.b.Link(c.port(l.A), c.port(l.B))
		}
	}
	if x.join != nil {
		x.join(c.b, c.port)
	}
	return c.b.Build()
}

type copier struct {
	*fault
	t         *testing.T
	b         *fabric.Builder
	copies    map[*fabric.Node]*fabric.Node
	unplugged map[*fabric.Port]bool
}

func (c *copier) port(p *fabric.Port) *fabric.Port { return c.b.Port(c.copies[p.Node()], p.Num()) }

func (c *copier) node(n *fabric.Node) {
	info := n.Info()
	if c.fault.node != nil {
		c.fault.node(n, &info)
	}
	own := c.b.AddNode(c.wire(&info))
	c.copies[n] = own
	c.b.SetDescription(own, n.DescriptionBytes())
	if s := n.SwitchInfoBytes(); s != nil {
		c.b.SetSwitchInfo(own, s)
	}
	for p := range n.Ports() {
		c.b.SetPortGUID(c.port(p), p.GUID())
		info, ok := p.Info()
		if !ok {
			continue
		}
		if c.unplugged[p] {
			info.State, info.PhysState = ib.PortDown, ib.PhysPolling
		}
		if c.fault.port != nil {
			c.fault.port(p, &info)
		}
		c.b.SetPortInfo(c.port(p), c.wire(&info))
	}
}

func (c *copier) wire(v interface{ AppendBinary([]byte) ([]byte, error) }) *[mad.DataSize]byte {
	c.t.Helper()
	text, err := v.AppendBinary(nil)
	if err != nil {
		c.t.Fatal(err)
	}
	var data [mad.DataSize]byte
	copy(data[:], text)
	return &data
}
