package ib

import (
	"encoding"
	"errors"
	"testing"
)

// A text is a type that can be written and read back.
type text[T any] interface {
	*T
	encoding.TextUnmarshaler
}

// roundTrip checks for every code that the text is unique and reads back.
func roundTrip[T interface {
	comparable
	encoding.TextMarshaler
}, P text[T]](t *testing.T, codes int, code func(int) T) {
	t.Helper()
	seen := map[string]T{}
	for i := range codes {
		v := code(i)
		s, err := v.MarshalText()
		if err != nil {
			t.Fatalf("code %d: %v", i, err)
		}
		if other, ok := seen[string(s)]; ok {
			t.Errorf("codes %v and %v have the same text %s", other, v, s)
		}
		seen[string(s)] = v
		var got T
		if err := P(&got).UnmarshalText(s); err != nil || got != v {
			t.Errorf("code %d: %s reads back as %v, %v", i, s, got, err)
		}
	}
}

func TestEnumsRoundTrip(t *testing.T) {
	roundTrip(t, 256, func(i int) NodeType { return NodeType(i) })
	roundTrip(t, 256, func(i int) PortState { return PortState(i) })
	roundTrip(t, 256, func(i int) PhysState { return PhysState(i) })
	roundTrip(t, 256, func(i int) SMState { return SMState(i) })
	roundTrip(t, 256, func(i int) LinkWidth { return LinkWidth(i) })
	roundTrip(t, 1<<16, func(i int) LinkSpeed { return LinkSpeed(i) })
}

func TestEnumText(t *testing.T) {
	tests := []struct {
		got  interface{ String() string }
		want string
	}{
		{NodeCA, "CA"},
		{NodeRouter, "Router"},
		{NodeType(0), "unknown (0)"},
		{NodeType(4), "unknown (4)"},
		{PortNoChange, "NoChange"},
		{PortActive, "Active"},
		{PortState(5), "unknown (5)"},
		{PhysTraining, "PortConfigurationTraining"},
		{PhysTest, "PhyTest"},
		{PhysState(8), "unknown (8)"},
		{SMMaster, "Master"},
		{SMState(4), "unknown (4)"},
		{MTU4096, "4096"},
		{MTU(0), "unknown (0)"},
		{MTU(6), "unknown (6)"},
		{VLCap(5), "VL0-14"},
		{VLCap(6), "unknown (6)"},
		{LinkWidth(0), "none"},
		{Width1x | Width2x | Width4x, "1x or 2x or 4x"},
		{LinkWidth(0x42), "4x or unknown (64)"},
		{LinkSpeed(0), "none"},
		{SpeedSDR | SpeedFDR10 | SpeedXDR, "SDR or FDR10 or XDR"},
		{LinkSpeed(0x8008), "unknown (32776)"},
		{LID(49152), "49152"},
		{PKey(0x1), "0x0001"},
		{GUID(0x2c9), "0x00000000000002c9"},
	}
	for _, tt := range tests {
		if tt.got.String() != tt.want {
			t.Errorf("%T: %q, want %q", tt.got, tt.got.String(), tt.want)
		}
	}
}

// TestBadText checks that what cannot be read is a ParseError that shows the
// text.
func TestBadText(t *testing.T) {
	readers := map[string]func(string) error{
		"GUID":  func(s string) error { _, err := ParseGUID(s); return err },
		"GID":   func(s string) error { _, err := ParseGID(s); return err },
		"LID":   func(s string) error { _, err := ParseLID(s); return err },
		"path":  func(s string) error { _, err := ParseDRPath(s); return err },
		"width": func(s string) error { _, err := ParseLinkWidth(s); return err },
		"speed": func(s string) error { _, err := ParseLinkSpeed(s); return err },
		"state": func(s string) error { return new(PortState).UnmarshalText([]byte(s)) },
		"type":  func(s string) error { return new(NodeType).UnmarshalText([]byte(s)) },
	}
	tests := map[string][]string{
		"GUID":  {"", "0x", "xyz", "12345678901234567", "-1", "0x1_2"},
		"GID":   {"", "fe80", "fe80::1%eth0", "10.0.0"},
		"LID":   {"", "65536", "-1", "0xg"},
		"path":  {"1", "0,", "0,256", "0,-1", "0,x", ",1", "0 1"},
		"width": {"", "3x", "4x or ", "unknown (256)"},
		"speed": {"", "WDR", "SDR,DDR"},
		"state": {"", "Up", "unknown (300)"},
		"type":  {"", "HCA"},
	}
	for kind, texts := range tests {
		for _, s := range texts {
			err := readers[kind](s)
			if e := new(ParseError); !errors.As(err, &e) {
				t.Errorf("%s %q: %v, want a *ParseError", kind, s, err)
			}
		}
	}
}
