package portcontrol

import (
	"math/bits"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// Measure is what a link has less of than it could.
type Measure int

// The measures.
const (
	Width Measure = iota + 1
	Speed
	ExtendedSpeed
	FDR10
)

// A Shortfall is something in which a link falls behind what both ends have
// enabled. The values are codes of PortInfo.
type Shortfall struct {
	Measure  Measure
	Active   uint8 // of FDR10, the code of the speed without it
	Possible uint8
}

// Values of the enabled fields that are no sets.
const (
	allWidths      ib.LinkWidth = 255
	allSpeeds      uint8        = 15
	allExtended    uint8        = 31
	noExtended     uint8        = 30
	extendedSpeeds              = 0xf
	baseSpeeds                  = 7 // SDR, DDR, QDR
)

// Shortfalls compares what a link runs at, which p tells, with the best that both
// ends have enabled: as ibportstate does, by the link's width and then its speeds.
func Shortfalls(p, q *Port) []Shortfall {
	var list []Shortfall
	a, b := &p.Info, &q.Info
	if best := (widths(a) & widths(b)).Max(); best != 0 && best != a.LinkWidthActive {
		list = append(list, Shortfall{Width, uint8(a.LinkWidthActive), uint8(best)})
	}
	if best := highest(speeds(a) & speeds(b) & baseSpeeds); best != 0 && best != a.LinkSpeedActive {
		list = append(list, Shortfall{Speed, a.LinkSpeedActive, best})
	}
	if !p.HasExtendedSpeeds() || !q.HasExtendedSpeeds() {
		if fdr10Enabled(p) && fdr10Enabled(q) && p.Extended.LinkSpeedActive&smp.FDR10 == 0 {
			list = append(list, Shortfall{FDR10, a.LinkSpeedActive, smp.FDR10})
		}
		return list
	}
	if best := highest(extended(a) & extended(b) & extendedSpeeds); best != 0 && best != a.LinkSpeedExtActive {
		list = append(list, Shortfall{ExtendedSpeed, a.LinkSpeedExtActive, best})
	}
	return list
}

func widths(v *smp.PortInfo) ib.LinkWidth {
	if v.LinkWidthEnabled == allWidths {
		return v.LinkWidthSupported
	}
	return v.LinkWidthEnabled
}

func speeds(v *smp.PortInfo) uint8 {
	if v.LinkSpeedEnabled == allSpeeds {
		return v.LinkSpeedSupported
	}
	return v.LinkSpeedEnabled
}

func extended(v *smp.PortInfo) uint8 {
	switch v.LinkSpeedExtEnabled {
	case allExtended:
		return v.LinkSpeedExtSupported
	case noExtended:
		return 0
	}
	return v.LinkSpeedExtEnabled
}

func fdr10Enabled(p *Port) bool {
	return p.Extended != nil && p.Extended.LinkSpeedEnabled&smp.FDR10 != 0
}

// highest is the highest bit of a set.
func highest(set uint8) uint8 {
	if set == 0 {
		return 0
	}
	return 1 << (bits.Len8(set) - 1)
}
