package ib

import (
	"math"
	"testing"
)

func TestSpeedFrom(t *testing.T) {
	tests := []struct {
		base, ext, ext2 uint8
		want            LinkSpeed
	}{
		{1, 0, 0, SpeedSDR},
		{4, 1, 0, SpeedQDR | SpeedFDR},
		{7, 15, 1, SpeedSDR | SpeedDDR | SpeedQDR | SpeedFDR | SpeedEDR | SpeedHDR | SpeedNDR | SpeedXDR},
		{0xff, 0xff, 0xff, 0xff0f}, // bits beyond the fields do not leak
	}
	for _, tt := range tests {
		s := SpeedFrom(tt.base, tt.ext, tt.ext2)
		if s != tt.want {
			t.Errorf("SpeedFrom(%#x, %#x, %#x) = %#x, want %#x", tt.base, tt.ext, tt.ext2, uint16(s), uint16(tt.want))
		}
		if s.Base() != tt.base&0xf || s.Ext() != tt.ext&0x1f || s.Ext2() != tt.ext2&7 {
			t.Errorf("%#x: codes %#x %#x %#x", uint16(s), s.Base(), s.Ext(), s.Ext2())
		}
	}
}

func TestRates(t *testing.T) {
	tests := []struct {
		width LinkWidth
		speed LinkSpeed
		want  float64
	}{
		{Width1x, SpeedSDR, 2},
		{Width4x, SpeedQDR, 32},
		{Width4x, SpeedFDR10, 40},
		{Width4x, SpeedFDR, 54.545454},
		{Width4x, SpeedEDR, 100},
		{Width4x, SpeedHDR, 200},
		{Width2x, SpeedHDR, 100},
		{Width4x, SpeedNDR, 400},
		{Width8x, SpeedNDR, 800},
		{Width4x, SpeedXDR, 800},
		{Width4x, SpeedSDR | SpeedEDR, 0},
		{Width1x | Width4x, SpeedEDR, 0},
		{0, SpeedEDR, 0},
		{Width4x, 0, 0},
	}
	for _, tt := range tests {
		if got := RateGbps(tt.width, tt.speed); math.Abs(got-tt.want) > 1e-5 {
			t.Errorf("%v %v = %v Gb/s, want %v", tt.width, tt.speed, got, tt.want)
		}
	}
}

// TestSpeedOrder checks that rank and lane rate grow together, although the
// codes do not (FDR10 is a bit of its own).
func TestSpeedOrder(t *testing.T) {
	order := []LinkSpeed{SpeedSDR, SpeedDDR, SpeedQDR, SpeedFDR10, SpeedFDR, SpeedEDR, SpeedHDR, SpeedNDR, SpeedXDR}
	var all LinkSpeed
	for i, s := range order {
		all |= s
		if s.Rank() != i+1 || all.Max() != s {
			t.Errorf("%v: rank %d, and the fastest of %v is %v", s, s.Rank(), all, all.Max())
		}
		if i > 0 && s.LaneMbps() <= order[i-1].LaneMbps() {
			t.Errorf("%v is not faster than %v", s, order[i-1])
		}
	}
	if s := LinkSpeed(1 << 12); s.Rank() != 0 || s.Max() != 0 || s.LaneMbps() != 0 {
		t.Errorf("undefined speed: rank %d, max %v", s.Rank(), s.Max())
	}
}

func TestWidths(t *testing.T) {
	for _, lanes := range []int{1, 2, 4, 8, 12} {
		w, ok := WidthFromLanes(lanes)
		if !ok || w.Lanes() != lanes {
			t.Errorf("%d lanes: %v, %v", lanes, w, ok)
		}
	}
	if _, ok := WidthFromLanes(3); ok {
		t.Error("3 lanes is a width")
	}
	if w := Width2x | Width1x; w.Max() != Width2x || w.Lanes() != 0 {
		t.Errorf("1x or 2x: max %v, %d lanes", w.Max(), w.Lanes())
	}
	if w := Width2x | Width4x; w.Max() != Width4x {
		t.Errorf("2x or 4x: max %v, although 2x has the higher code", w.Max())
	}
	if w, err := ParseLinkWidth("1X or 4X"); w != Width1x|Width4x || err != nil {
		t.Errorf("1X or 4X: %v, %v", w, err)
	}
}

func TestMTUAndVLs(t *testing.T) {
	for m, want := range map[MTU]int{0: 0, MTU256: 256, MTU2048: 2048, MTU4096: 4096, 6: 0, 255: 0} {
		if got := m.Bytes(); got != want {
			t.Errorf("MTU %d = %d bytes, want %d", m, got, want)
		}
	}
	for c, want := range map[VLCap]int{0: 0, 1: 1, 2: 2, 3: 4, 4: 8, 5: 15, 6: 0} {
		if got := c.Lanes(); got != want {
			t.Errorf("VLCap %d = %d lanes, want %d", c, got, want)
		}
	}
}

func FuzzLinkText(f *testing.F) {
	f.Add("1x or 4x")
	f.Add("SDR or unknown (4)")
	f.Add("none or SDR")
	f.Fuzz(func(t *testing.T, s string) {
		if w, err := ParseLinkWidth(s); err == nil {
			if back, err := ParseLinkWidth(w.String()); back != w || err != nil {
				t.Errorf("width %q is %v, which reads back as %v, %v", s, w, back, err)
			}
		}
		if v, err := ParseLinkSpeed(s); err == nil {
			if back, err := ParseLinkSpeed(v.String()); back != v || err != nil {
				t.Errorf("speed %q is %v, which reads back as %v, %v", s, v, back, err)
			}
		}
	})
}
