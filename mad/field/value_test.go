package field

import (
	"encoding/binary"
	"strings"
	"testing"
)

// TestValues checks each format on codes at its edges. The expected text of
// everything but espeed2 is libibmad's, which the tests of package smp compare
// for all codes.
func TestValues(t *testing.T) {
	tests := []struct {
		format Format
		width  int
		v      uint64
		want   string
	}{
		{Uint, 64, 1<<64 - 1, "18446744073709551615"},
		{Uint, 1, 1, "1"},
		{Hex, 27, 0x7ffffff, "0x07ffffff"},
		{Hex, 20, 0xfffff, "0x0fffff"},
		{Hex, 4, 0xa, "0x0a"},
		{RawHex, 64, 0xfe80000000000000, "fe80000000000000"},
		{NodeTypeText, 8, 1, "Channel Adapter"},
		{NodeTypeText, 8, 0, "?(0)?"},
		{StateText, 4, 4, "Active"},
		{StateText, 4, 5, "?(5)"},
		{PhysText, 4, 7, "PhyTest"},
		{PhysText, 4, 8, "?(8)"},
		{DownDefaultText, 4, 3, "?(3)"},
		{MTUText, 4, 5, "4096"},
		{MTUText, 4, 0, "?(0)"},
		{VLCapText, 4, 0, "?(0)"},
		{OperVLsText, 4, 0, "No change"},
		{OperVLsText, 4, 5, "VL0-14"},
		{Width, 8, 16, "2X"},
		{Width, 8, 3, "undefined (3)"},
		{WidthEnabled, 8, 255, "1X or 4X or 8X or 12X or 2X or undefined (255)"},
		{WidthEnabled, 8, 0, "undefined (0)"},
		{WidthSupported, 8, 2, "4X (IBA extension)"},
		{WidthSupported, 8, 0, "undefined (0) (IBA extension)"},
		{WidthSupported, 8, 64, "undefined (64)"},
		{Speed, 4, 0, "Extended speed"},
		{Speed, 4, 4, "10.0 Gbps"},
		{SpeedSupported, 4, 0, "undefined (0) (IBA extension)"},
		{SpeedEnabled, 4, 15, "2.5 Gbps or 5.0 Gbps or 10.0 Gbps or undefined (15)"},
		{ExtSpeed, 4, 8, "106.25 Gbps"},
		{ExtSpeed, 4, 0, "No Extended Speed"},
		{ExtSpeedSupported, 4, 0, "0"},
		{ExtSpeedEnabled, 5, 30, "Extended link speeds disabled"},
		{ExtSpeedSupported, 5, 30, "25.78125 Gbps or 53.125 Gbps or 106.25 Gbps or undefined (30)"},
		{CapMask, 32, 0, "0x0"},
		{CapMask, 32, 1<<13 | 1<<1, "0x2002\n\t\t\t\tIsSM"},
		{CapMask, 32, 1 << 31, "0x80000000\n\t\t\t\tIsHierarchyInfoSupported"},
		{CapMask2, 16, 1<<12 | 1<<10, "0x1400\n\t\t\t\tIsLinkSpeedNDRSupported"},
	}
	for _, tt := range tests {
		if got := string(tt.format.appendUint(nil, tt.v, tt.width)); got != tt.want {
			t.Errorf("%s of %d = %q, want %q", tt.format, tt.v, got, tt.want)
		}
	}
}

// TestExtSpeed2Bug pins the text of several XDR bits. libibmad since it knows
// XDR prints " undefined (3)" for 3: it writes the second part over the first.
func TestExtSpeed2Bug(t *testing.T) {
	tests := []struct {
		format Format
		v      uint64
		want   string
	}{
		{ExtSpeed2, 0, "No Extended Speed 2"},
		{ExtSpeed2, 1, "212.5 Gbps"},
		{ExtSpeed2, 2, "undefined (2)"},
		{ExtSpeed2Supported, 0, "0"},
		{ExtSpeed2Supported, 1, "212.5 Gbps"},
		{ExtSpeed2Supported, 2, "undefined (2)"},
		{ExtSpeed2Supported, 3, "212.5 Gbps or undefined (3)"},
		{ExtSpeed2Enabled, 7, "212.5 Gbps or undefined (7)"},
	}
	for _, tt := range tests {
		if got := string(tt.format.appendUint(nil, tt.v, 3)); got != tt.want {
			t.Errorf("%s of %d = %q, want %q", tt.format, tt.v, got, tt.want)
		}
	}
}

func TestFormatNames(t *testing.T) {
	for f := range formats {
		got, ok := ParseFormat(f.String())
		if !ok || got != f {
			t.Errorf("ParseFormat(%q) = %v, %v", f.String(), got, ok)
		}
	}
	if _, ok := ParseFormat("nonsense"); ok {
		t.Error("nonsense is a format")
	}
}

// TestNameColumn checks that values start in column 33, and that a name that
// reaches it still has its dot.
func TestNameColumn(t *testing.T) {
	for _, name := range []string{"LMC", strings.Repeat("x", 31), strings.Repeat("x", 40)} {
		line := string(appendName(nil, name, -1))
		if want := max(33, len(name)+2); len(line) != want || !strings.HasPrefix(line, name+":.") {
			t.Errorf("%q is %d wide, want %d", line, len(line), want)
		}
	}
}

// FuzzBits compares the bit reader and writer with one that takes the data as
// a number.
func FuzzBits(f *testing.F) {
	f.Add(uint64(0x0123456789abcdef), uint8(3), uint8(27), uint64(1<<40))
	f.Add(uint64(1<<63), uint8(0), uint8(64), uint64(0))
	f.Fuzz(func(t *testing.T, data uint64, offset, width uint8, v uint64) {
		offset %= 64
		width = width%(64-offset) + 1
		fd := Field{Offset: uint16(offset), Width: uint16(width)}
		b := binary.BigEndian.AppendUint64(nil, data)
		mask := uint64(1)<<width - 1
		shift := 64 - offset - width
		if got, want := fd.Uint(b), data>>shift&mask; got != want {
			t.Errorf("Uint = %#x, want %#x", got, want)
		}
		fd.SetUint(b, v)
		if got, want := binary.BigEndian.Uint64(b), data&^(mask<<shift)|(v&mask)<<shift; got != want {
			t.Errorf("SetUint gave %#x, want %#x", got, want)
		}
	})
}
