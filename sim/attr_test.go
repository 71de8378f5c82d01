package sim_test

import (
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim/gen"
)

// Everything that the fabric holds in wire form is answered byte for byte, but
// for the port that the request arrived on.
func TestRawAttributes(t *testing.T) {
	f := must[*fabric.Fabric](t)(gen.FatTree(gen.FatTreeOptions{Levels: 2, Radix: 4, Hosts: 7, Speed: ib.SpeedFDR10}))
	p := open(t, f, nil)
	for n := range f.Nodes() {
		path, _ := n.Path()
		fetch := func(attr mad.AttrID, modifier uint32) [mad.DataSize]byte {
			m := get(attr, modifier)
			m.SetRoute(path, 0, 0)
			r := askOne(t, p, m, directed)
			if r.Status() != 0 {
				t.Errorf("node %s attribute %s: %v", n.GUID(), attr, r.Status())
			}
			return *r.SMPData()
		}
		same := func(what string, got, want [mad.DataSize]byte) {
			t.Helper()
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("node %s %s: %s", n.GUID(), what, d)
			}
		}
		same("NodeInfo", fetch(nodeInfo, 0), n.RawInfo())
		same("NodeDescription", fetch(nodeDescription, 0), n.RawDescription())
		if want, ok := n.RawSwitchInfo(); ok {
			same("SwitchInfo", fetch(switchInfo, 0), want)
		}
		for port := range n.Ports() {
			want, _ := port.RawInfo()
			want[28] = n.Info().LocalPort
			same("PortInfo", fetch(portInfo, uint32(port.Num())), want)
			if ext, ok := port.RawExtendedInfo(); ok {
				same("ExtendedPortInfo", fetch(0xff90, uint32(port.Num())), ext)
			}
		}
	}
}

func TestStatus(t *testing.T) {
	f := line(t)
	p := open(t, f, nil)
	sw, ca := []int{1}, []int(nil)
	for _, c := range []struct {
		name string
		path []int
		attr mad.AttrID
		mod  uint32
		want mad.Status
	}{
		{"PortInfo of the last port", sw, portInfo, 3, 0},
		{"PortInfo with extended speeds", sw, portInfo, 3 | smp.ExtendedSpeedModifier, 0},
		{"PortInfo beyond", sw, portInfo, 4, mad.StatusInvalidValue},
		{"PortInfo 256", sw, portInfo, 256, mad.StatusInvalidValue},
		{"PortInfo 0 of an adapter", ca, portInfo, 0, 0},
		{"PortInfo beyond of an adapter", ca, portInfo, 2, mad.StatusInvalidValue},
		{"SwitchInfo of an adapter", ca, switchInfo, 0, mad.StatusUnsupportedAttr},
		{"unknown attribute", sw, 0x99, 0, mad.StatusUnsupportedAttr},
		{"GUIDInfo", ca, guidInfo, 0, 0},
		{"GUIDInfo last block", ca, guidInfo, 15, 0},
		{"GUIDInfo beyond", ca, guidInfo, 16, mad.StatusInvalidValue},
		{"GUIDInfo of a switch", sw, guidInfo, 0, 0},
		{"GUIDInfo beyond of a switch", sw, guidInfo, 1, mad.StatusInvalidValue},
		{"P_Keys", ca, 0x16, 3, 0},
		{"P_Keys beyond", ca, 0x16, 4, mad.StatusInvalidValue},
		{"P_Keys of a switch port", sw, 0x16, 3 << 16, 0},
		{"P_Keys beyond of a switch port", sw, 0x16, 3<<16 | 1, mad.StatusInvalidValue},
		{"P_Keys of no port", sw, 0x16, 4 << 16, mad.StatusInvalidValue},
		{"SLtoVL", sw, 0x17, 3<<8 | 1, 0},
		{"SLtoVL from no port", sw, 0x17, 4<<8 | 1, mad.StatusInvalidValue},
		{"SLtoVL to no port", sw, 0x17, 1<<8 | 4, mad.StatusInvalidValue},
		{"VLArb", sw, 0x18, 1<<16 | 3, 0},
		{"VLArb block 0", sw, 0x18, 3, mad.StatusInvalidValue},
		{"VLArb block 5", sw, 0x18, 5<<16 | 3, mad.StatusInvalidValue},
		{"VLArb of no port", sw, 0x18, 1<<16 | 4, mad.StatusInvalidValue},
		{"LFT last block", sw, linearFDB, 767, 0},
		{"LFT beyond", sw, linearFDB, 768, mad.StatusInvalidValue},
		{"LFT far beyond", sw, linearFDB, 0xffffffff, mad.StatusInvalidValue},
		{"LFT of an adapter", ca, linearFDB, 0, mad.StatusUnsupportedAttr},
		{"MFT", sw, 0x1b, 0, 0},
		{"MFT position beyond", sw, 0x1b, 1 << 28, mad.StatusInvalidValue},
		{"MFT block beyond", sw, 0x1b, 512 - 0, 0}, // bits 9 and up are not part of the block
		{"MFT of an adapter", ca, 0x1b, 0, mad.StatusUnsupportedAttr},
		{"RandomFDB", sw, 0x1a, 0, mad.StatusUnsupportedAttr},
		{"SMInfo at the manager", ca, 0x20, 0, 0},
		{"VendorDiag", sw, 0x30, 0, 0},
		{"VendorDiag beyond", sw, 0x30, 1, mad.StatusInvalidValue},
		{"LedInfo without light", sw, 0x31, 0, mad.StatusUnsupportedAttr},
		{"PortInfoExtended not there", sw, 0x33, 1, mad.StatusUnsupportedAttr},
		{"ExtendedPortInfo", sw, 0xff90, 1, 0},
		{"ExtendedPortInfo beyond", sw, 0xff90, 4, mad.StatusInvalidValue},
	} {
		r := askOne(t, p, get(c.attr, c.mod, c.path...), directed)
		if r.Status() != c.want || r.Method() != mad.MethodGetResp || r.Modifier() != c.mod || r.AttrID() != c.attr {
			t.Errorf("%s: %v, want %v", c.name, r.Status(), c.want)
		}
	}
}

func TestHeaderChecks(t *testing.T) {
	p := open(t, line(t), nil)
	base, class, set := get(nodeInfo, 0, 1), get(nodeInfo, 0, 1), get(nodeInfo, 0, 1)
	base[0] = 2
	class.SetClassVersion(2)
	set.SetMethod(mad.MethodSet)
	set.SMPData()[5] = 77
	for want, m := range map[mad.Status]*mad.Packet{
		mad.StatusBadVersion: class, mad.StatusUnsupportedAttr: set,
	} {
		r := askOne(t, p, m, directed)
		if r.Status() != want || *r.SMPData() != *m.SMPData() {
			t.Errorf("%v, want %v and the data of the request", r.Status(), want)
		}
	}
	if r := askOne(t, p, base, directed); r.Status() != mad.StatusBadVersion {
		t.Errorf("base version 2: %v", r.Status())
	}
}

func TestContents(t *testing.T) {
	f := line(t)
	p := open(t, f, nil)
	data := func(attr mad.AttrID, mod uint32, path ...int) []byte {
		r := askOne(t, p, get(attr, mod, path...), directed)
		return r.SMPData()[:]
	}
	be := binary.BigEndian
	if g := ib.GUID(be.Uint64(data(guidInfo, 0))); g != host(t, f, "1").GUID() {
		t.Errorf("GUID 0 is %s", g)
	}
	if k := be.Uint32(data(0x16, 0)); k != 0xffff0000 {
		t.Errorf("P_Keys %08x", k)
	}
	if m := be.Uint64(data(0x17, 0)); m != 0x0123456701234567 {
		t.Errorf("SLtoVL %016x", m)
	}
	sm := data(0x20, 0)
	if g := ib.GUID(be.Uint64(sm)); g != host(t, f, "1").GUID() || sm[20]&0xf != 3 {
		t.Errorf("SMInfo % x", sm[:24])
	}
	var info smp.PortInfo
	info.Decode((*[64]byte)(data(portInfo, 2, 1, 3)))
	if info.LocalPort != 2 {
		t.Errorf("PortInfo.LocalPort is %d", info.LocalPort)
	}
}

// A fabric as a text gives it: links, widths and speeds, LIDs, but no more.
func TestFilledIn(t *testing.T) {
	b := fabric.NewBuilder()
	add := func(v smp.NodeInfo) *fabric.Node {
		var raw [mad.DataSize]byte
		v.Encode(&raw)
		return b.AddNode(&raw)
	}
	ca := add(smp.NodeInfo{NodeType: ib.NodeCA, NumPorts: 2, NodeGUID: 0x10, PortGUID: 0x11, VendorID: 0x2c9})
	sw := add(smp.NodeInfo{NodeType: ib.NodeSwitch, NumPorts: 8, NodeGUID: 0x20, PortGUID: 0x20, VendorID: 0x8f1})
	a, c := b.Port(ca, 1), b.Port(sw, 5)
	b.SetPortGUID(a, 0x11)
	put := func(p *fabric.Port, v smp.PortInfo) {
		var raw [mad.DataSize]byte
		v.Encode(&raw)
		b.SetPortInfo(p, &raw)
	}
	put(a, smp.PortInfo{LID: 7, LinkWidthActive: ib.Width4x, LinkSpeedActive: 4, LinkSpeedExtActive: 2, CapMask: smp.CapExtendedSpeeds})
	put(c, smp.PortInfo{LinkWidthActive: ib.Width4x, LinkSpeedActive: 4, LinkSpeedExtActive: 2})
	put(b.Port(sw, 0), smp.PortInfo{LID: 9})
	b.Link(a, c)
	p := open(t, b.Build(), nil)

	ask64 := func(attr mad.AttrID, mod uint32, path ...int) *[64]byte {
		r := askOne(t, p, get(attr, mod, path...), directed)
		if r.Status() != 0 {
			t.Fatalf("attribute %s modifier %d: %v", attr, mod, r.Status())
		}
		return r.SMPData()
	}
	var info smp.NodeInfo
	info.Decode(ask64(nodeInfo, 0))
	if info.PortGUID != 0x11 || info.BaseVersion != 1 || info.LocalPort != 1 || info.PartitionCap == 0 {
		t.Errorf("NodeInfo %+v", info)
	}
	var si smp.SwitchInfo
	si.Decode(ask64(switchInfo, 0, 1))
	if si.LinearFDBCap == 0 || si.LinearFDBTop != 9 {
		t.Errorf("SwitchInfo %+v", si)
	}
	type seen struct {
		State       ib.PortState
		Phys        ib.PhysState
		Width       ib.LinkWidth
		Speed, Ext  uint8
		Supported   ib.LinkWidth
		ExtSupports uint8
		MTU         ib.MTU
		LID         ib.LID
		Owner       bool
	}
	look := func(num uint32, path ...int) seen {
		var v smp.PortInfo
		v.Decode(ask64(portInfo, num, path...))
		return seen{
			v.State, v.PhysState, v.LinkWidthActive, v.LinkSpeedActive, v.LinkSpeedExtActive, v.LinkWidthSupported,
			v.LinkSpeedExtSupported, v.MTUCap, v.LID, v.CapMask != 0,
		}
	}
	for name, c := range map[string]struct{ got, want seen }{
		"adapter":   {look(1), seen{4, 5, 2, 4, 2, 3, 3, 5, 7, true}},
		"no cable":  {look(2), seen{1, 2, 2, 1, 0, 3, 3, 5, 0, true}},
		"switch up": {look(5, 1), seen{4, 5, 2, 4, 2, 3, 3, 5, 0, false}},
		"down":      {look(1, 1), seen{1, 2, 2, 1, 0, 3, 3, 5, 0, false}},
		"port 0":    {look(0, 1), seen{4, 5, 2, 1, 0, 3, 0, 5, 9, true}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %+v, want %+v", name, c.got, c.want)
		}
	}
	if r := askOne(t, p, get(0xff90, 1, 1), directed); r.Status() != mad.StatusUnsupportedAttr {
		t.Errorf("ExtendedPortInfo of another vendor: %v", r.Status())
	}
}
