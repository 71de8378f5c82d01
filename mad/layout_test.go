package mad

import (
	"bytes"
	"testing"
)

// TestData checks where the data of each class begins and ends, and that Data
// is the packet itself.
func TestData(t *testing.T) {
	tests := []struct {
		class    Class
		attr     AttrID
		from, to int
	}{
		{ClassSubnLID, 0x11, 64, 128},
		{ClassSubnDirected, 0x11, 64, 128},
		{ClassSubnAdm, 0x11, 56, 256},
		{ClassPerf, 0x12, 64, 256},
		{ClassBM, 0x10, 64, 256},
		{ClassDevMgt, 0x10, 64, 256},
		{ClassCC, 0x11, 64, 256},
		{ClassCC, 0x13, 32, 256},
		{ClassPerf, 0x13, 64, 256},
		{0x0a, 0x17, 24, 256},
		{0x32, 0, 40, 256},
		{ClassComm, 0x10, 24, 256},
	}
	for _, tt := range tests {
		var p Packet
		p.Init(tt.class, MethodGet, tt.attr, 0)
		d := p.Data()
		if len(d) != tt.to-tt.from || cap(d) != len(d) || tt.class.DataOffset(tt.attr) != tt.from {
			t.Errorf("%v %v: %d bytes (capacity %d) from %d", tt.class, tt.attr, len(d), cap(d), tt.class.DataOffset(tt.attr))
		}
		if d[0] = 0xaa; p[tt.from] != 0xaa {
			t.Errorf("%v %v: data does not alias the packet", tt.class, tt.attr)
		}
	}
}

// TestKeysAndMasks writes each field into a packet of ones or zeros and checks
// the bytes, which are those of libibmad's field table.
func TestKeysAndMasks(t *testing.T) {
	tests := []struct {
		name  string
		set   func(*Packet)
		get   func(*Packet) uint64
		at    int
		bytes []byte
		value uint64
	}{
		{"SM_Key", func(p *Packet) { p.SetSMKey(0x0102030405060708) }, (*Packet).SMKey, 36, []byte{1, 2, 3, 4, 5, 6, 7, 8}, 0x0102030405060708},
		{"AttributeOffset", func(p *Packet) { p.SetAttrOffset(0x1234) }, func(p *Packet) uint64 { return uint64(p.AttrOffset()) }, 44, []byte{0x12, 0x34}, 0x1234},
		{"ComponentMask", func(p *Packet) { p.SetCompMask(1<<63 | 5) }, (*Packet).CompMask, 48, []byte{0x80, 0, 0, 0, 0, 0, 0, 5}, 1<<63 | 5},
		{"CC_Key", func(p *Packet) { p.SetClassKey(0xfedcba9876543210) }, (*Packet).ClassKey, 24, []byte{0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10}, 0xfedcba9876543210},
		{"OUI", func(p *Packet) { p.SetOUI(0x001405) }, func(p *Packet) uint64 { return uint64(p.OUI()) }, 37, []byte{0, 0x14, 5}, 0x001405},
	}
	for _, tt := range tests {
		for _, fill := range []byte{0, 0xff} {
			var p, want Packet
			for i := range p {
				p[i], want[i] = fill, fill
			}
			copy(want[tt.at:], tt.bytes)
			if tt.set(&p); !bytes.Equal(p[:], want[:]) || tt.get(&p) != tt.value {
				t.Errorf("%s: read %#x, packet\n% x, want\n% x", tt.name, tt.get(&p), p, want)
			}
		}
	}
}

func TestRMPPHeader(t *testing.T) {
	h := RMPPHeader{Version: 1, Type: RMPPAck, RespTime: RMPPNoRespTime, Flags: RMPPActive | RMPPLast, Status: RMPPTooManyRetries, Data1: 0x01020304, Data2: 0x05060708}
	var p Packet
	p.Init(ClassSubnAdm, MethodGetTable, 0x11, 0)
	p.SetRMPP(h)
	want := []byte{1, 2, 31<<3 | 5, 126, 1, 2, 3, 4, 5, 6, 7, 8}
	if !bytes.Equal(p[24:36], want) || p.RMPP() != h || !p.IsRMPP() {
		t.Errorf("header % x, want % x; read %+v", p[24:36], want, p.RMPP())
	}
	h.Flags = RMPPLast
	if p.SetRMPP(h); p.IsRMPP() {
		t.Error("a packet without the active flag takes part")
	}
	h.Flags = RMPPActive
	p.Init(ClassPerf, MethodGet, 0x12, 0)
	if p.SetRMPP(h); p.IsRMPP() {
		t.Error("a class without RMPP takes part")
	}
}

func TestRMPPStatus(t *testing.T) {
	if got := RMPPTooManyRetries.Error(); got != "RMPP status 126: too many retries" {
		t.Error(got)
	}
	if got := RMPPStatus(200).Error(); got != "RMPP status 200" {
		t.Error(got)
	}
}
