package gen

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

func TestDirectorChassis(t *testing.T) {
	for _, c := range []struct {
		text          string
		lines, spines int // chips with a slot
		others        int
	}{
		{"director", 36, 18, 0},
		{"director?lines=5&spines=3", 5, 3, 0},
		{"director?model=isr9288", 24, 12, 0},
		{"director?model=isr2012&lines=3&spines=2", 6, 6, 0},
		{"director?model=cs7500", 0, 0, 54},
		{"director?model=sx6536&lines=2&spines=2", 0, 0, 4},
		{"director?model=mcs8500&chassis=2", 0, 0, 60},
		{"director?chassis=2", 36, 18, 0},
		{"director?model=isr2012&chassis=3", 24, 12, 0},
	} {
		f := parse(t, c.text)
		want := 1
		if _, after, ok := strings.Cut(c.text, "chassis="); ok {
			fmt.Sscan(after, &want)
		}
		if len(f.Chassis()) != want {
			t.Errorf("%s: %d chassis, want %d", c.text, len(f.Chassis()), want)
		}
		for _, ch := range f.Chassis() {
			if l, s := filled(ch.Lines), filled(ch.Spines); l != c.lines || s != c.spines || len(ch.Nodes) != c.others {
				t.Errorf("%s: chassis %d has %d line and %d spine chips, %d others; want %d, %d, %d",
					c.text, ch.Number, l, s, len(ch.Nodes), c.lines, c.spines, c.others)
			}
		}
	}
}

func filled(slots []*fabric.Node) int {
	count := 0
	for _, n := range slots {
		if n != nil {
			count++
		}
	}
	return count
}

func TestSubnetsAreApart(t *testing.T) {
	f := parse(t, "subnets?subnets=3&routers=2")
	managers := map[uint64]ib.LID{}
	for p := range f.Ports() {
		if info, _ := p.Info(); info.CapMask&smp.CapIsSM != 0 {
			managers[info.GIDPrefix] = info.LID
		}
	}
	if len(managers) != 3 {
		t.Errorf("%d subnet managers", len(managers))
	}
	for p := range f.Ports() {
		info, _ := p.Info()
		if info.LID != 0 && info.SMLID != managers[info.GIDPrefix] {
			t.Errorf("%q port %d: subnet %x, manager %d", p.Node().Description(), p.Num(), info.GIDPrefix, info.SMLID)
		}
	}
	for n := range f.Routers() {
		for p := range n.Ports() {
			info, _ := p.Info()
			if want := subnetPrefix + uint64(p.Num()-1); info.GIDPrefix != want || p.GUID() != n.GUID()+ib.GUID(p.Num()) {
				t.Errorf("router port %d: subnet %x, GUID %s", p.Num(), info.GIDPrefix, p.GUID())
			}
		}
	}
}

// GPU servers have a storage adapter in a subnet of its own.
func TestStorageRail(t *testing.T) {
	f := parse(t, "gpupod?hosts=4&radix=8&rails=4&storage=3")
	for l := range f.Links() {
		a, b := subnetOf(l.A), subnetOf(l.B)
		if a != b {
			t.Errorf("%q and %q are in two subnets", l.A.Node().Description(), l.B.Node().Description())
		}
	}
	for n := range f.CAs() {
		want := uint64(subnetPrefix)
		if strings.HasSuffix(n.Description(), "mlx5_4") || strings.HasPrefix(n.Description(), "storage") {
			want++
		}
		if info, _ := n.Port(1).Info(); info.GIDPrefix != want && n.Info().DeviceID != 0xcf09 {
			t.Errorf("%q is in subnet %x", n.Description(), info.GIDPrefix)
		}
	}
}

func subnetOf(p *fabric.Port) uint64 {
	if p.Node().Type() == ib.NodeSwitch {
		p = p.Node().Port(0)
	}
	info, _ := p.Info()
	return info.GIDPrefix
}

func TestPlanes(t *testing.T) {
	f := parse(t, "xdrplanes?hosts=6&radix=4&planes=3&gsi=yes")
	smi, gsi := 0, 0
	for n := range f.CAs() {
		info, _ := n.Port(1).Info()
		switch {
		case n.Info().DeviceID == 0xcf09:
		case info.CapMask&smp.CapSMDisabled != 0:
			gsi++
			peer, _ := f.PortByGUID(n.Port(1).GUID())
			if peer.Node() == n || peer.LID() != info.LID || n.Port(1).Active().Width != ib.Width4x || info.State != ib.PortActive {
				t.Errorf("%q has no SMI device, or is not like it", n.Description())
			}
		default:
			smi++
			for p := range n.Ports() {
				sw := p.Remote().Node()
				if !strings.HasSuffix(sw.Description(), fmt.Sprintf("/U%d", p.Num())) || p.GUID() != n.GUID() || p.LID() != info.LID ||
					p.Active() != (fabric.LinkRate{Width: ib.Width1x, Speed: ib.SpeedXDR}) {
					t.Errorf("%q port %d leads to %q at %s", n.Description(), p.Num(), sw.Description(), p.Active())
				}
			}
		}
	}
	if smi != 6 || gsi != 6 {
		t.Errorf("%d SMI devices, %d GSI devices", smi, gsi)
	}
	boxes := 0
	for _, c := range f.Chassis() {
		if c.Nodes[0].Type() == ib.NodeSwitch || c.Nodes[1].Type() == ib.NodeSwitch {
			boxes++
			if len(c.Nodes) != 2*3 { // chips and their aggregation nodes
				t.Errorf("box %d has %d nodes", c.Number, len(c.Nodes))
			}
		}
	}
	if boxes != 3+2 {
		t.Errorf("%d boxes", boxes)
	}
}
