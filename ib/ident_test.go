package ib

import (
	"encoding/json"
	"testing"
)

func TestParseGUID(t *testing.T) {
	const want = GUID(0x0008f10403960558)
	for _, s := range []string{
		"0x0008f10403960558", "0X0008F10403960558", "8f10403960558", "0008:f104:0396:0558", " 0x8f10403960558\n",
	} {
		if got, err := ParseGUID(s); got != want || err != nil {
			t.Errorf("ParseGUID(%q) = %v, %v", s, got, err)
		}
	}
	if GUID(1).Compare(2) >= 0 || GUID(1<<63).Compare(1) <= 0 || GUID(7).Compare(7) != 0 {
		t.Error("Compare does not order by value")
	}
}

// TestGIDText checks the text against what inet_ntop of glibc gives.
func TestGIDText(t *testing.T) {
	tests := []struct {
		prefix uint64
		guid   GUID
		want   string
	}{
		{DefaultSubnetPrefix, 0x0008f10403960558, "fe80::8:f104:396:558"},
		{0, 0, "::"},
		{0, 1, "::1"},
		{0, 0x0304, "::304"},
		{0, 0x01020304, "::1.2.3.4"},
		{0, 0xffff01020304, "::ffff:1.2.3.4"},
		{0, 0x101020304, "::1:102:304"},
		{1, 0, "0:0:0:1::"},
		{0xff12401bffff0000, 1, "ff12:401b:ffff::1"},
	}
	for _, tt := range tests {
		g := GIDFrom(tt.prefix, tt.guid)
		if got := g.String(); got != tt.want {
			t.Errorf("GID %016x %016x = %s, want %s", tt.prefix, uint64(tt.guid), got, tt.want)
		}
		if back, err := ParseGID(tt.want); back != g || err != nil {
			t.Errorf("ParseGID(%s) = %v, %v", tt.want, back, err)
		}
		if g.Prefix() != tt.prefix || g.GUID() != tt.guid || g.IsZero() != (tt.want == "::") {
			t.Errorf("parts of %s: %#x, %v, %v", tt.want, g.Prefix(), g.GUID(), g.IsZero())
		}
	}
}

func FuzzGID(f *testing.F) {
	f.Add(uint64(0xfe80)<<48, uint64(1))
	f.Add(uint64(0), uint64(0xffff01020304))
	f.Add(uint64(0), uint64(0x10000))
	f.Fuzz(func(t *testing.T, prefix, guid uint64) {
		g := GIDFrom(prefix, GUID(guid))
		if back, err := ParseGID(g.String()); back != g || err != nil {
			t.Errorf("%s reads back as %v, %v", g, back, err)
		}
	})
}

func TestLIDRanges(t *testing.T) {
	tests := []struct {
		lid                uint16
		unicast, multicast bool
	}{
		{0, false, false},
		{1, true, false},
		{0xbfff, true, false},
		{0xc000, false, true},
		{0xfffe, false, true},
		{0xffff, false, false},
	}
	for _, tt := range tests {
		if l := LID(tt.lid); l.IsUnicast() != tt.unicast || l.IsMulticast() != tt.multicast {
			t.Errorf("LID %#x: unicast %v, multicast %v", tt.lid, l.IsUnicast(), l.IsMulticast())
		}
	}
	for s, want := range map[string]LID{"42": 42, "0x2a": 42, "052": 42, "65535": 65535} {
		if got, err := ParseLID(s); got != want || err != nil {
			t.Errorf("ParseLID(%q) = %v, %v", s, got, err)
		}
	}
}

func TestPKey(t *testing.T) {
	if k := PKey(0x8001); !k.IsFull() || k.Partition() != 1 || k.String() != "0x8001" {
		t.Errorf("0x8001: full %v, partition %d, %s", k.IsFull(), k.Partition(), k)
	}
	if k := PKey(0x7fff); k.IsFull() || k.Partition() != DefaultPKey.Partition() {
		t.Errorf("0x7fff: full %v, partition %#x", k.IsFull(), k.Partition())
	}
}

// TestJSON checks the types as JSON values, and GUIDs as keys of a map.
func TestJSON(t *testing.T) {
	type all struct {
		GUID  GUID
		GID   GID
		LID   LID
		Path  DRPath
		Speed LinkSpeed
		By    map[GUID]NodeType
	}
	path, err := NewDRPath(1, 2)
	if err != nil {
		t.Fatal(err)
	}
	in := all{1, GIDFrom(0, 1), 5, path, SpeedEDR, map[GUID]NodeType{2: NodeSwitch}}
	got, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"GUID":"0x0000000000000001","GID":"::1","LID":5,"Path":"0,1,2","Speed":"EDR","By":{"0x0000000000000002":"Switch"}}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var back all
	if err := json.Unmarshal(got, &back); err != nil || back.GUID != 1 || back.GID != in.GID || back.Path != path || back.By[2] != NodeSwitch {
		t.Errorf("reads back as %+v, %v", back, err)
	}
}
