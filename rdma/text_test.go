package rdma

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/ib"
)

func TestParseRate(t *testing.T) {
	tests := []struct {
		text  string
		gbps  float64
		width ib.LinkWidth
		speed ib.LinkSpeed
	}{
		{"2.5 Gb/sec (1X)", 2.5, ib.Width1x, ib.SpeedSDR},
		{"10 Gb/sec (4X)", 10, ib.Width4x, ib.SpeedSDR},
		{"10 Gb/sec (1X FDR10)", 10, ib.Width1x, ib.SpeedFDR10},
		{"56 Gb/sec (4X FDR)", 56, ib.Width4x, ib.SpeedFDR},
		{"100 Gb/sec (4X EDR)", 100, ib.Width4x, ib.SpeedEDR},
		{"25 Gb/sec (1X EDR)", 25, ib.Width1x, ib.SpeedEDR},
		{"200 Gb/sec (2X NDR)", 200, ib.Width2x, ib.SpeedNDR},
		{"800 Gb/sec (4X XDR)", 800, ib.Width4x, ib.SpeedXDR},
		{"60 Gb/sec (4X GDR)", 60, ib.Width4x, 0},
		{"400 Gb/sec (4X)", 400, ib.Width4x, 0}, // no speed that the kernel knows
		{"400 Gb/sec", 400, 0, 0},
		{"100 Gb/sec (3X EDR)", 100, 0, ib.SpeedEDR},
		{"-1 Gb/sec (4X EDR)", 0, ib.Width4x, ib.SpeedEDR},
		{"NaN Gb/sec (X)", 0, 0, 0},
		{"(4X EDR)", 0, 0, 0},
		{"", 0, 0, 0},
	}
	for _, tt := range tests {
		r, width, speed := parseRate(tt.text)
		if r != (Rate{tt.gbps, tt.text}) || width != tt.width || speed != tt.speed {
			t.Errorf("%q: %v Gb/s, %v, %v; want %v, %v, %v", tt.text, r.Gbps, width, speed, tt.gbps, tt.width, tt.speed)
		}
	}
}

func TestLeadingNumber(t *testing.T) {
	for text, want := range map[string]uint64{
		"4: ACTIVE": 4, "0x1f": 0x1f, "0X1F\n": 0x1f, "12abc": 12, "0": 0, " 7 ": 7, "010": 10, "255": 255, "0x00000001g": 1,
	} {
		if v, err := leadingNumber(text, 8); v != want || err != nil {
			t.Errorf("%q = %d, %v; want %d", text, v, err, want)
		}
	}
	for _, text := range []string{"", "x", "-1", "+1", "0x", "256", "0x100", "ACTIVE", "\u0663"} {
		if v, err := leadingNumber(text, 8); err == nil {
			t.Errorf("%q = %d", text, v)
		}
	}
	_, err := leadingNumber(strings.Repeat("?", 1000), 8)
	if err == nil || len(err.Error()) > 200 {
		t.Errorf("message of a long text: %v", err)
	}
}

func TestNaturalOrder(t *testing.T) {
	order := []string{"", "a", "mlx4_0", "mlx5_2", "mlx5_02", "mlx5_2a", "mlx5_10", "mlx5_10_1", "mlx5_99999999999999999999999", "mlx50", "rxe0"}
	order[3], order[4] = order[4], order[3] // equal numbers: by bytes
	for i, a := range order {
		for j, b := range order {
			if got := compareNatural(a, b); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("%q compared with %q = %d", a, b, got)
			}
		}
	}
}

func TestNames(t *testing.T) {
	got := []string{
		NodeUSNICUDP.String(), NodeUnknown.String(), NodeType(8).String(),
		NodeUnspecified.Transport().String(), NodeType(9).Transport().String(), Transport(5).String(), Transport(-128).String(),
		Words.String(), Unit(9).String(), CapMask(0x10).String(), CapMask2(0x32).String(),
		strings.Join((CapSM | CapSMDisabled | 1).Names(), " "), strings.Join(CapMask2(0x9800).Names(), " "),
		NodeSwitch.IB().String(), NodeRNIC.IB().String(),
	}
	want := []string{
		"usNIC UDP", "unknown", "unknown (8)",
		"unspecified", "unknown", "unknown (5)", "unknown (-128)",
		"words", "unknown (9)", "0x00000010", "0x0032",
		"bit 0 IsSM IsSMdisabled", "IsExtendedSpeeds2Supported IsLinkSpeedXDRSupported bit 15",
		"Switch", "unknown (0)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !CapMask(0x402).Has(CapSM|CapSMDisabled) || CapMask(2).Has(CapSM|CapSMDisabled) {
		t.Error("Has")
	}
	for l, want := range map[LinkLayer]bool{LinkInfiniBand: true, "IB": true, "": true, LinkEthernet: false, "Unknown": false} {
		if l.IsInfiniBand() != want {
			t.Errorf("%q is InfiniBand: %v", l, !want)
		}
	}
}

func FuzzNaturalOrder(f *testing.F) {
	f.Add("mlx5_2", "mlx5_10", "mlx5_02")
	f.Add("00", "0", "")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		ab, bc, ac := compareNatural(a, b), compareNatural(b, c), compareNatural(a, c)
		if ab != -compareNatural(b, a) || (ab == 0) != (a == b) {
			t.Errorf("%q and %q: %d, backwards %d", a, b, ab, compareNatural(b, a))
		}
		if ab < 0 && bc < 0 && ac >= 0 {
			t.Errorf("%q < %q < %q, but not the first before the last", a, b, c)
		}
	})
}

// FuzzText feeds the parsers of attributes.
func FuzzText(f *testing.F) {
	f.Add("100 Gb/sec (4X EDR)")
	f.Add("4: ACTIVE")
	f.Add("0x")
	f.Add("( )")
	f.Fuzz(func(t *testing.T, s string) {
		if r, w, v := parseRate(s); r.Gbps < 0 || r.Gbps >= 1e9 || w != 0 && w.Lanes() == 0 || v != 0 && v.Rank() == 0 {
			t.Errorf("%q: %v, %v, %v", s, r.Gbps, w, v)
		}
		if v, err := leadingNumber(s, 8); v > 255 || err != nil && v != 0 {
			t.Errorf("%q = %d, %v", s, v, err)
		}
	})
}
