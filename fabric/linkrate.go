package fabric

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// LinkRate is a width and a lane speed: those in use, or sets of those that a
// port supports or has enabled.
type LinkRate struct {
	Width ib.LinkWidth
	Speed ib.LinkSpeed
}

// extendedDisabled is the value of LinkSpeedExtEnabled that turns all extended
// speeds off.
const extendedDisabled = 30

// Active is the width and speed in use. The speed is the highest of what the
// extended fields, the Mellanox extension (FDR10) and the base field say.
func (p *Port) Active() LinkRate {
	info, _ := p.Info()
	ext, ext2 := p.extendedSpeeds()
	speed := ib.SpeedFrom(info.LinkSpeedActive, 0, 0)
	switch {
	case ext2 && info.LinkSpeedExtActive2 != 0:
		speed = ib.SpeedFrom(0, 0, info.LinkSpeedExtActive2)
	case ext && info.LinkSpeedExtActive != 0:
		speed = ib.SpeedFrom(0, info.LinkSpeedExtActive, 0)
	case speed == ib.SpeedQDR && p.fdr10(extActive):
		speed = ib.SpeedFDR10
	}
	return LinkRate{info.LinkWidthActive, speed}
}

// Supported is the set of widths and speeds that the port supports.
func (p *Port) Supported() LinkRate {
	info, _ := p.Info()
	rate := p.speedSet(info.LinkSpeedSupported, info.LinkSpeedExtSupported, info.LinkSpeedExtSupported2)
	if p.fdr10(extSupported) {
		rate |= ib.SpeedFDR10
	}
	return LinkRate{info.LinkWidthSupported, rate}
}

// Enabled is the set of widths and speeds that the port may use now.
func (p *Port) Enabled() LinkRate {
	info, _ := p.Info()
	enabled := info.LinkSpeedExtEnabled
	if enabled == extendedDisabled {
		enabled = 0
	}
	rate := p.speedSet(info.LinkSpeedEnabled, enabled, info.LinkSpeedExtEnabled2)
	if p.fdr10(extEnabled) {
		rate |= ib.SpeedFDR10
	}
	return LinkRate{info.LinkWidthEnabled, rate}
}

func (p *Port) speedSet(base, ext, ext2 uint8) ib.LinkSpeed {
	knowsExt, knowsExt2 := p.extendedSpeeds()
	if !knowsExt {
		ext = 0
	}
	if !knowsExt2 {
		ext2 = 0
	}
	return ib.SpeedFrom(base, ext, ext2)
}

// extendedSpeeds reports which of the extended speed fields mean anything. The
// capability masks of a switch are those of its port 0; where that could not be
// read, the fields are taken at their word.
func (p *Port) extendedSpeeds() (ext, ext2 bool) {
	caps, ok := p.owner().Info()
	if !ok || p.node.typ == ib.NodeSwitch && p.num != 0 && p.owner() == p {
		return true, true
	}
	ext = caps.CapMask&smp.CapExtendedSpeeds != 0
	ext2 = ext && caps.CapMask&smp.CapCapMask2 != 0 && caps.CapMask2&smp.Cap2ExtendedSpeeds2 != 0
	return ext, ext2
}

// Bytes of Mellanox ExtendedPortInfo whose bit 0 stands for FDR10.
const (
	extSupported = 7
	extEnabled   = 11
	extActive    = 15
)

func (p *Port) fdr10(field int) bool { return p.ext != nil && p.ext[field]&1 != 0 }

// String is the form of the C tools: "4xEDR".
func (r LinkRate) String() string { return r.Width.String() + r.Speed.String() }
