package hostfs

import (
	"fmt"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// laneRates are the kernel's rates of a lane, in units of 0.1 Gb/s.
var laneRates = map[ib.LinkSpeed]int{
	ib.SpeedSDR: 25, ib.SpeedDDR: 50, ib.SpeedQDR: 100, ib.SpeedFDR10: 100, ib.SpeedFDR: 140,
	ib.SpeedEDR: 250, ib.SpeedHDR: 500, ib.SpeedNDR: 1000, ib.SpeedXDR: 2000,
}

// rate is the text of rate_show: "100 Gb/sec (4X EDR)", "2.5 Gb/sec (1X SDR)".
// A speed that the kernel does not know counts as SDR; a width that it does not
// know is an error.
func rate(w ib.LinkWidth, s ib.LinkSpeed) (string, bool) {
	tenths, ok := laneRates[s]
	if !ok {
		s, tenths = ib.SpeedSDR, laneRates[ib.SpeedSDR]
	}
	lanes := w.Lanes()
	if lanes == 0 {
		return "", false
	}
	tenths *= lanes
	half := ""
	if tenths%10 != 0 {
		half = ".5"
	}
	return fmt.Sprintf("%d%s Gb/sec (%dX %s)", tenths/10, half, lanes, s), true
}

// speed is the speed in use: the fastest of what the three fields of PortInfo
// and the vendor's attribute for FDR10 say.
func (p *port) speed(v *smp.PortInfo) ib.LinkSpeed {
	hasExt := v.CapMask&smp.CapExtendedSpeeds != 0
	hasExt2 := hasExt && v.CapMask&smp.CapCapMask2 != 0 && v.CapMask2&smp.Cap2ExtendedSpeeds2 != 0
	switch {
	case hasExt2 && v.LinkSpeedExtActive2 != 0:
		return ib.SpeedFrom(0, 0, v.LinkSpeedExtActive2)
	case hasExt && v.LinkSpeedExtActive != 0:
		return ib.SpeedFrom(0, v.LinkSpeedExtActive, 0)
	}
	speed := ib.SpeedFrom(v.LinkSpeedActive, 0, 0)
	if speed == ib.SpeedQDR && p.isFDR10() {
		return ib.SpeedFDR10
	}
	return speed
}

func (p *port) isFDR10() bool {
	data, status := p.at.LocalAttribute(smp.AttrExtendedPortInfo, uint32(p.num))
	var v smp.ExtendedPortInfo
	v.Decode(&data)
	return status == mad.StatusOK && v.LinkSpeedActive&smp.FDR10 != 0
}
