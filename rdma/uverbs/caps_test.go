package uverbs

import (
	"testing"

	"github.com/ibscope/ibscope/ib"
)

func TestLinkSpeed(t *testing.T) {
	for code, want := range map[Speed]ib.LinkSpeed{
		1: ib.SpeedSDR, 2: ib.SpeedDDR, 4: ib.SpeedQDR, 8: ib.SpeedFDR10, 16: ib.SpeedFDR,
		32: ib.SpeedEDR, 64: ib.SpeedHDR, 128: ib.SpeedNDR, 256: ib.SpeedXDR,
		0: 0, 3: 0, 512: 0, 1 << 31: 0, 257: 0,
	} {
		if got := code.LinkSpeed(); got != want {
			t.Errorf("code %d is %v, want %v", code, got, want)
		}
	}
	if got := Speed(3).String(); got != "unknown (3)" {
		t.Error(got)
	}
}
