package smp_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

func TestNodeInfoJSON(t *testing.T) {
	v := smp.NodeInfo{
		BaseVersion: 1, ClassVersion: 1, NodeType: 9, NumPorts: 36,
		NodeGUID: 0xe41d2d0300a1b2c3, DeviceID: 0xcb20, VendorID: 0x2c9,
	}
	got, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"base_version":1,"class_version":1,"node_type":"unknown (9)","num_ports":36,` +
		`"system_image_guid":"0x0000000000000000","node_guid":"0xe41d2d0300a1b2c3","port_guid":"0x0000000000000000",` +
		`"partition_cap":0,"device_id":"0xcb20","revision":"0x00000000","local_port":0,"vendor_id":"0x0002c9"}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestPortInfoXDR checks the fields that libibmad 44 does not know.
func TestPortInfoXDR(t *testing.T) {
	var b [64]byte
	b[56] = 1<<5 | 1<<3 | 1
	var v smp.PortInfo
	v.Decode(&b)
	if v.LinkSpeedExtActive2 != 1 || v.LinkSpeedExtSupported2 != 1 || v.LinkSpeedExtEnabled2 != 1 {
		t.Errorf("XDR codes %d %d %d, want 1 1 1", v.LinkSpeedExtActive2, v.LinkSpeedExtSupported2, v.LinkSpeedExtEnabled2)
	}
	var got map[string]any
	if err := json.Unmarshal(v.AppendJSON(nil), &got); err != nil {
		t.Fatal(err)
	}
	if got["link_speed_ext_active2"] != "XDR" || got["link_width_active"] != "none" || got["gid_prefix"] != "0x0000000000000000" {
		t.Errorf("JSON %v", got)
	}
}

// TestGetChangeSet checks that reserved bits survive a change of one field.
func TestGetChangeSet(t *testing.T) {
	var b [64]byte
	for i := range b {
		b[i] = 0xff
	}
	want := b
	want[34] = 0xf8 // LMC 0 beside ProtectBits and 3 reserved bits
	var v smp.PortInfo
	v.Decode(&b)
	v.LMC = 0
	v.Encode(&b)
	if b != want {
		t.Errorf("got  %x\nwant %x", b, want)
	}
}

func TestNodeDescription(t *testing.T) {
	tests := []struct{ set, text string }{
		{"node1 HCA-1", "node1 HCA-1"},
		{"a\x1b[2Jb\tc", "a [2Jb c"},
		{"bad\xffutf8", "bad\ufffdutf8"},
		{"a\x00b", "a"},
		{"0123456789012345678901234567890123456789012345678901234567890123", "0123456789012345678901234567890123456789012345678901234567890123"},
		{"0123456789012345678901234567890123456789012345678901234567890é", "0123456789012345678901234567890123456789012345678901234567890é"},
		{"012345678901234567890123456789012345678901234567890123456789012é", "012345678901234567890123456789012345678901234567890123456789012"},
	}
	for _, tt := range tests {
		var v smp.NodeDescription
		v.SetString(tt.set)
		if got := v.String(); got != tt.text {
			t.Errorf("SetString(%q) gave %q, want %q", tt.set, got, tt.text)
		}
	}
}

func TestTables(t *testing.T) {
	var b [64]byte
	copy(b[:], []byte{0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef})
	var slvl smp.SLtoVLMappingTable
	slvl.Decode(&b)
	if want := [16]uint8{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}; slvl.VLs != want {
		t.Errorf("SLtoVL %v", slvl.VLs)
	}
	var arb smp.VLArbitrationTable
	arb.Decode(&b)
	if arb.VLs[1] != 5 || arb.Weights[1] != 0x67 {
		t.Errorf("VLArb entry 1: VL %d weight %d, want 5 and 103", arb.VLs[1], arb.Weights[1])
	}
	copy(b[4:], []byte{0x00, 0x07, 0x80 | 3<<4, 18})
	var rft smp.RandomForwardingTable
	rft.Decode(&b)
	if rft.LIDs[1] != 7 || !rft.Valid[1] || rft.LMCs[1] != 3 || rft.Ports[1] != 18 || rft.Valid[2] {
		t.Errorf("RFT entry 1: LID %d valid %v LMC %d port %d", rft.LIDs[1], rft.Valid[1], rft.LMCs[1], rft.Ports[1])
	}
}

func TestModifiers(t *testing.T) {
	tests := []struct{ got, want uint32 }{
		{smp.PortInfoModifier(3, false), 3},
		{smp.PortInfoModifier(255, true), 0x800000ff},
		{smp.PKeyModifier(7, 3), 0x00070003},
		{smp.SLtoVLModifier(5, 6), 0x0506},
		{smp.VLArbModifier(smp.VLArbHighSecond, 9), 0x00040009},
		{smp.MFTModifier(15, 511), 0xf00001ff},
		{smp.MFTModifier(16, 512), 0}, // beyond what the fields hold
	}
	for i, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("case %d: %#x, want %#x", i, tt.got, tt.want)
		}
	}
}

func TestBlocks(t *testing.T) {
	if block, i := smp.LFTBlock(0xbfff); block != 767 || i != 63 {
		t.Errorf("LFT block of 0xbfff: %d, %d", block, i)
	}
	if block, i, ok := smp.MFTBlock(0xc000 + 33); block != 1 || i != 1 || !ok {
		t.Errorf("MFT block of 0xc021: %d, %d, %v", block, i, ok)
	}
	for _, lid := range []ib.LID{0, 0xbfff, ib.PermissiveLID} {
		if _, _, ok := smp.MFTBlock(lid); ok {
			t.Errorf("LID %#x has a multicast block", uint16(lid))
		}
	}
	if position, bit := smp.MFTPort(35); position != 2 || bit != 3 {
		t.Errorf("port 35: position %d bit %d", position, bit)
	}
}

func TestNoticeLink(t *testing.T) {
	v := smp.Notice{IsGeneric: true, TrapNumber: smp.TrapLinkStateChange}
	copy(v.Details[:], []byte{0, 12, 0, 34, 5})
	if lid, port, ok := v.Link(); lid != 12 || port != 0 || !ok {
		t.Errorf("trap 128: %d, %d, %v", lid, port, ok)
	}
	v.TrapNumber = smp.TrapFlowControl
	if lid, port, ok := v.Link(); lid != 34 || port != 5 || !ok {
		t.Errorf("trap 131: %d, %d, %v", lid, port, ok)
	}
	v.TrapNumber = smp.TrapCapMaskChange
	if _, _, ok := v.Link(); ok {
		t.Error("trap 144 is about a link")
	}
	v.IsGeneric, v.TrapNumber = false, 128
	if _, _, ok := v.Link(); ok {
		t.Error("a vendor's notice is about a link")
	}
}

// TestAttrIDs checks the identifiers against the table of IBA 14.2.5.
func TestAttrIDs(t *testing.T) {
	want := map[string]mad.AttrID{
		"Notice": 0x02, "NodeDescription": 0x10, "NodeInfo": 0x11, "SwitchInfo": 0x12, "GUIDInfo": 0x14,
		"PortInfo": 0x15, "PKeyTable": 0x16, "SLtoVLMappingTable": 0x17, "VLArbitrationTable": 0x18,
		"LinearForwardingTable": 0x19, "RandomForwardingTable": 0x1a, "MulticastForwardingTable": 0x1b,
		"SMInfo": 0x20, "VendorDiag": 0x30, "LedInfo": 0x31, "PortInfoExtended": 0x33,
		"ExtendedPortInfo": 0xff90, "RouterInfo": 0xffd0, "AdjacentSubnetsTable": 0xffd2,
	}
	got := map[string]mad.AttrID{}
	for _, a := range smp.Attributes() {
		got[a.Name] = a.New().AttrID()
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
