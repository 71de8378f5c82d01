package discover_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
)

// plan is a fabric for a test: nodes by name, and links between their ports.
type plan struct {
	b     *fabric.Builder
	nodes map[string]*fabric.Node
}

func newPlan() *plan { return &plan{b: fabric.NewBuilder(), nodes: map[string]*fabric.Node{}} }

// node adds a switch ("S…") or a CA (any other name) with that many ports.
func (p *plan) node(name string, guid ib.GUID, ports int) *fabric.Node {
	info := smp.NodeInfo{
		BaseVersion: 1, ClassVersion: 1, NodeType: ib.NodeCA, NumPorts: uint8(ports),
		NodeGUID: guid, PortGUID: guid + 1, SystemImageGUID: guid, DeviceID: 0x1017, VendorID: 0x2c9, LocalPort: 1,
	}
	isSwitch := strings.HasPrefix(name, "S")
	if isSwitch {
		info.NodeType, info.PortGUID, info.DeviceID = ib.NodeSwitch, guid, 0xd2f2
	}
	var raw, desc [mad.DataSize]byte
	info.Encode(&raw)
	n := p.b.AddNode(&raw)
	copy(desc[:], name)
	p.b.SetDescription(n, &desc)
	p.nodes[name] = n
	if isSwitch {
		var swRaw [mad.DataSize]byte
		sw := smp.SwitchInfo{LinearFDBCap: 49152, EnhancedPort0: true}
		sw.Encode(&swRaw)
		p.b.SetSwitchInfo(n, &swRaw)
		p.port(n, 0, ib.PhysLinkUp)
	}
	for i := 1; i <= ports; i++ {
		p.port(n, i, ib.PhysPolling)
	}
	return n
}

func (p *plan) port(n *fabric.Node, num int, phys ib.PhysState) *fabric.Port {
	info := smp.PortInfo{
		State: ib.PortDown, PhysState: phys, CapMask: smp.CapExtendedSpeeds,
		LinkWidthSupported: 3, LinkWidthEnabled: 3, LinkWidthActive: ib.Width4x,
		LinkSpeedSupported: 7, LinkSpeedEnabled: 7, LinkSpeedActive: 4,
		LinkSpeedExtSupported: 3, LinkSpeedExtEnabled: 3, LinkSpeedExtActive: 2,
	}
	if phys == ib.PhysLinkUp {
		info.State = ib.PortActive
	}
	if num == 0 || n.Type() != ib.NodeSwitch {
		info.LID = ib.LID(len(p.nodes))
	}
	var raw [mad.DataSize]byte
	info.Encode(&raw)
	port := p.b.Port(n, num)
	if n.Type() != ib.NodeSwitch {
		p.b.SetPortGUID(port, n.GUID()+ib.GUID(num))
	}
	p.b.SetPortInfo(port, &raw)
	return port
}

// link connects two ports, "S1/3" or "h1" for port 1.
func (p *plan) link(a, c string) {
	p.b.Link(p.end(a), p.end(c))
}

func (p *plan) end(s string) *fabric.Port {
	name, num, _ := strings.Cut(s, "/")
	port := 1
	if num != "" {
		fmt.Sscan(num, &port)
	}
	n := p.nodes[name]
	if n == nil {
		panic("no node " + name)
	}
	return p.port(n, port, ib.PhysLinkUp)
}

// tree is two spines over leaves with hosts: h1 is on leaf 1.
func tree(leaves, hostsPerLeaf int) *plan {
	p := newPlan()
	for i := range leaves * hostsPerLeaf {
		p.node(fmt.Sprintf("h%d", i+1), ib.GUID(0x1000+16*i), 1)
	}
	ports := hostsPerLeaf + leaves + 2
	for _, name := range []string{"Spine1", "Spine2"} {
		p.node(name, ib.GUID(0x3000+0x100*len(p.nodes)), ports)
	}
	for l := range leaves {
		leaf := fmt.Sprintf("SLeaf%d", l+1)
		p.node(leaf, ib.GUID(0x20000+0x100*l), ports)
		for h := range hostsPerLeaf {
			p.link(fmt.Sprintf("%s/%d", leaf, h+1), fmt.Sprintf("h%d", l*hostsPerLeaf+h+1))
		}
		p.link(fmt.Sprintf("%s/%d", leaf, hostsPerLeaf+1), fmt.Sprintf("Spine1/%d", l+1))
		p.link(fmt.Sprintf("%s/%d", leaf, hostsPerLeaf+2), fmt.Sprintf("Spine2/%d", l+1))
	}
	return p
}

// sweep discovers the plan's fabric from node "h1".
func (p *plan) sweep(t *testing.T, so *sim.Options, o *discover.Options) (*fabric.Fabric, error) {
	t.Helper()
	return p.sweepFrom(t, "h1", so, o)
}

func (p *plan) sweepFrom(t *testing.T, name string, so *sim.Options, o *discover.Options) (*fabric.Fabric, error) {
	t.Helper()
	return sweepContext(t.Context(), t, p, name, so, o)
}

func sweepContext(ctx context.Context, t *testing.T, p *plan, name string, so *sim.Options, o *discover.Options) (*fabric.Fabric, error) {
	t.Helper()
	s, err := sim.New(p.b.Build(), so)
	if err != nil {
		t.Fatal(err)
	}
	at, err := s.AttachAt(name, 0)
	if err != nil {
		t.Fatal(err)
	}
	return discover.Run(ctx, at, o)
}

// picture is a fabric's graph as text: one line a node with its links.
func picture(f *fabric.Fabric) string {
	var b strings.Builder
	for n := range f.Nodes() {
		path, _ := n.Path()
		fmt.Fprintf(&b, "%s %s [%s]:", n.GUID(), n.Description(), path)
		for p := range n.Ports() {
			if r := p.Remote(); r != nil {
				fmt.Fprintf(&b, " %d=%s/%d", p.Num(), r.Node().Description(), r.Num())
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func counts(f *fabric.Fabric) (nodes, links int) {
	for range f.Links() {
		links++
	}
	return f.NumNodes(), links
}
