package fabric

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

type testFabric struct{ *Builder }

func (b testFabric) node(t ib.NodeType, ports uint8, guid ib.GUID, vendor uint32, device uint16, system ib.GUID, desc string) *Node {
	var raw, text [64]byte
	info := smp.NodeInfo{
		NodeType: t, NumPorts: ports, NodeGUID: guid, PortGUID: guid,
		SystemImageGUID: system, VendorID: vendor, DeviceID: device,
	}
	info.Encode(&raw)
	copy(text[:], desc)
	n := b.AddNode(&raw)
	b.SetDescription(n, &text)
	return n
}

func (b testFabric) cable(a *Node, pa int, c *Node, pc int) { b.Link(b.Port(a, pa), b.Port(c, pc)) }

// badChassis lists the details of the problems with chassis.
func badChassis(f *Fabric) (details []string) {
	for _, p := range f.Problems() {
		if p.Kind == BadChassis {
			details = append(details, p.Detail)
		}
	}
	return details
}

func TestManyChassis(t *testing.T) {
	// 300 pairs: more than an 8-bit number can count.
	b := testFabric{NewBuilder()}
	for i := range ib.GUID(300) {
		b.node(ib.NodeCA, 1, 0x1000+2*i, vendorMellanox, 1, 0x9000+i, "")
		b.node(ib.NodeCA, 1, 0x1001+2*i, vendorMellanox, 1, 0x9000+i, "")
	}
	f := b.Build()
	if n := len(f.Chassis()); n != 300 {
		t.Fatalf("%d chassis, want 300", n)
	}
	for i, c := range f.Chassis() {
		if c.Number != i+1 || len(c.Nodes) != 2 || c.Nodes[0].Chassis() != c || c.Nodes[0].Index() > c.Nodes[1].Index() {
			t.Fatalf("chassis %d: %+v", i, c)
		}
	}
	if last := f.Chassis()[299]; last.GUID != 0x9000 {
		t.Errorf("the last chassis is %s, want that of the first nodes", last.GUID)
	}
}

func TestBigGroup(t *testing.T) {
	// 257 nodes wrap to 1 in eight bits.
	b := testFabric{NewBuilder()}
	for i := range ib.GUID(257) {
		b.node(ib.NodeCA, 1, 0x1000+i, vendorMellanox, 1, 0x9000, "")
	}
	if f := b.Build(); len(f.Chassis()) != 1 || len(f.Chassis()[0].Nodes) != 257 {
		t.Errorf("got %d chassis, want one with 257 nodes", len(f.Chassis()))
	}
}

func TestModuleName(t *testing.T) {
	for desc, want := range map[string]Slot{
		"MF0;sys:IS5600/L07/U1":              {SlotLine, 7, 1, "IS5600"},
		"MF0;sys:IS5600/S18:board type/U2":   {SlotSpine, 18, 2, "IS5600"},
		"MF0;a/b:T/L1/U":                     {SlotLine, 1, 0, "T"},
		"MF0;:123456789012345678901/L9x/U1y": {SlotLine, 9, 1, "1234567890123456789"},
	} {
		if got, ok := parseModuleName(desc); !ok || got != want {
			t.Errorf("%q: %+v, %v, want %+v", desc, got, ok, want)
		}
	}
	for _, desc := range []string{
		"", "MF0", "MF0;", "MF0;sys", "MF0;sys:T", "MF0;sys:T/", "MF0;sys:T/L1", "MF0;sys:T/L1/", "MF0;sys:T/L1/V1",
		"MF0;sys:T/M1/U1", "MF0;sys:T//U1", "mf0;sys:T/L1/U1", "MF0;sys:T/:L1/U1",
	} {
		if got, ok := parseModuleName(desc); ok {
			t.Errorf("%q is taken for %+v", desc, got)
		}
	}
}

// TestImpossibleSlots has modules that C keeps out of its listings, or writes
// beyond its arrays for.
func TestImpossibleSlots(t *testing.T) {
	b := testFabric{NewBuilder()}
	for i, place := range []string{"L0", "L37", "S19", "L999999999999999999999", "L3", "L3"} {
		b.node(ib.NodeSwitch, 36, ib.GUID(0x100+i), vendorMellanox, mellanoxIS4, 0x9000, "MF0;s:IS5600/"+place+"/U1")
	}
	f := b.Build()
	c := f.Chassis()[0]
	if len(c.Nodes) != 4 || c.Lines[3] == nil || len(badChassis(f)) != 5 {
		t.Errorf("%d nodes without a slot, %d problems: %q", len(c.Nodes), len(badChassis(f)), badChassis(f))
	}
}

func TestImpossibleWiring(t *testing.T) {
	const (
		sfb12 = 0x5a08
		slb24 = 0x5a09
		isr9k = 0x5a06
		sfb42 = 0x5a60
	)
	for name, build := range map[string]func(b testFabric){
		"spine to a switch that is no line board": func(b testFabric) {
			s := b.node(ib.NodeSwitch, 24, 1, vendorVoltaire, sfb12, 0, "")
			b.cable(s, 1, b.node(ib.NodeSwitch, 24, 2, vendorVoltaire, isr9k, 0, ""), 1)
		},
		"spine to a port that no spine has": func(b testFabric) {
			s := b.node(ib.NodeSwitch, 24, 1, vendorVoltaire, sfb12, 0, "")
			b.cable(s, 1, b.node(ib.NodeSwitch, 255, 2, vendorVoltaire, slb24, 0, ""), 255)
		},
		"line board to a high port": func(b testFabric) {
			s := b.node(ib.NodeSwitch, 255, 1, vendorVoltaire, sfb12, 0, "")
			b.cable(s, 200, b.node(ib.NodeSwitch, 24, 2, vendorVoltaire, slb24, 0, ""), 1)
		},
		"line board to line board": func(b testFabric) {
			l := b.node(ib.NodeSwitch, 24, 1, vendorVoltaire, slb24, 0, "")
			b.cable(l, 1, b.node(ib.NodeSwitch, 24, 2, vendorVoltaire, slb24, 0, ""), 1)
		},
		"spine to itself": func(b testFabric) {
			s := b.node(ib.NodeSwitch, 24, 1, vendorVoltaire, sfb12, 0, "")
			b.cable(s, 1, s, 2)
		},
		"host on a spine of an ISR4200": func(b testFabric) {
			s := b.node(ib.NodeSwitch, 36, 1, vendorVoltaire, sfb42, 0, "")
			b.cable(s, 1, b.node(ib.NodeCA, 1, 2, vendorMellanox, 1, 0, ""), 1)
		},
		"slotless port of an ISR4200 line": func(b testFabric) {
			s := b.node(ib.NodeSwitch, 36, 1, vendorVoltaire, sfb42, 0, "")
			b.cable(s, 1, b.node(ib.NodeSwitch, 36, 2, vendorVoltaire, 0x5a5b, 0, ""), 5)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := testFabric{NewBuilder()}
			build(b)
			if bad := badChassis(b.Build()); len(bad) == 0 {
				t.Error("no problem was reported")
			}
		})
	}
}

func TestRouterModules(t *testing.T) {
	b := testFabric{NewBuilder()}
	spine := b.node(ib.NodeSwitch, 24, 0x8f10400410003, vendorVoltaire, 0x5a08, 0, "")
	line := b.node(ib.NodeSwitch, 24, 0x8f10400410100, vendorVoltaire, 0x5a09, 0, "")
	router := b.node(ib.NodeCA, 2, 0x8f10400410200, vendorVoltaire, 0x5a01, 0, "")
	b.cable(spine, 1, line, 1)
	b.cable(spine, 23, router, 1)
	f := b.Build()
	if got := router.Slot().String(); got != "SRBD 12 Chip 1" || router.Chassis() != f.Chassis()[0] {
		t.Errorf("router is at %q in %v", got, router.Chassis())
	}
	if got := fmt.Sprint(spine.Slot(), line.Slot()); got != "Spine 1 Chip 1 Line 1 Chip 1" {
		t.Error(got)
	}
	if f.Chassis()[0].Lines[34] != router || f.Chassis()[0].GUID != 0x8f10400410002 {
		t.Errorf("%+v", f.Chassis()[0])
	}
}

// TestSlotTables spells out some rows of the tables, as strings by port.
func TestSlotTables(t *testing.T) {
	row := func(at func(int) (int, int)) string {
		var b strings.Builder
		for p := 0; p <= 37; p++ {
			slot, chip := at(p)
			fmt.Fprintf(&b, "%d.%d ", slot, chip)
		}
		return b.String()
	}
	none := func(n int) string { return strings.Repeat("0.0 ", n) }
	for _, c := range []struct {
		name string
		at   func(int) (int, int)
		want string
	}{
		{"spine4", spine4, none(1) + "1.1 1.1 1.1 2.1 2.1 2.1 3.1 3.1 3.1 4.1 4.1 4.1 " + none(25)},
		{"spine12", spine12, none(1) + "1.1 1.2 1.3 2.1 2.2 2.3 3.1 3.2 3.3 4.1 4.2 4.3 " + none(25)},
		{"spine18x2", spine18x2, none(1) + "1.2 1.1 2.2 2.1 3.2 3.1 4.2 4.1 5.2 5.1 6.2 6.1 7.2 7.1 8.2 8.1 9.2 9.1 " + none(19)},
		{"spine4200", spine4200, none(1) + "1.1 1.1 1.1 1.1 0.1 0.1 2.1 2.1 2.1 2.1 3.1 3.1 3.1 3.1 4.1 4.1 4.1 4.1 " + none(19)},
		{"line4", line4, none(1) + "1.1 1.1 1.1 1.2 1.2 1.2 2.1 2.1 2.1 2.2 2.2 2.2 3.1 3.1 3.1 3.2 3.2 3.2 " +
			"4.1 4.1 4.1 4.2 4.2 4.2 " + none(13)},
		{"line4200", line4200, none(1) + "1.1 1.1 1.1 1.1 2.1 2.1 2.1 2.1 3.1 3.1 3.1 3.1 4.1 4.1 4.1 4.1 5.1 5.1 " +
			"5.1 5.1 6.1 6.1 6.1 6.1 7.1 7.1 7.1 7.1 8.1 8.1 8.1 8.1 9.1 9.1 9.1 9.1 " + none(1)},
		{"router4", func(p int) (int, int) { return router4(nil, p) }, none(1) + "1.3 1.2 1.1 1.3 1.2 1.1 2.3 2.2 2.1 2.3 2.2 2.1 " +
			"3.3 3.2 3.1 3.3 3.2 3.1 4.3 4.2 4.1 4.3 4.2 4.1 " + none(13)},
	} {
		if got := row(c.at); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestXsigoGUIDs(t *testing.T) {
	if !IsXsigo(0x0013970200000001) || IsXsigo(0x0013980200000001) || !IsXsigoHCA(0x00139702aabbccdd) ||
		IsXsigoHCA(0x0013970300000000) || !IsXsigoTCA(0x0013970300000000) {
		t.Error("Xsigo GUIDs are not told apart")
	}
}
