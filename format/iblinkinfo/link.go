package iblinkinfo

import (
	"fmt"
	"math/bits"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// State is a port's width, speed and states in parentheses. Of a port that is
// down only the states mean anything.
func State(p *fabric.Port) string {
	data := infoOf(p)
	info := decode(data)
	if info.State == ib.PortDown {
		return fmt.Sprintf("(              %6s/%8s)", text("LinkState", data), text("PhysLinkState", data))
	}
	speed := speedText(p, &info)
	if p.Node().Type() == ib.NodeSwitch && p.Node().Port(0) == nil {
		info.LinkWidthActive, info.LinkSpeedActive = 0, 0 // C trusts nothing without port 0
		info.Encode(&data)
		speed = text("LinkSpeedActive", data)
	}
	return fmt.Sprintf("(%3s %18s %6s/%8s)", text("LinkWidthActive", data), speed,
		text("LinkState", data), text("PhysLinkState", data))
}

// infoOf is the PortInfo of a port, zeros where it is not known.
func infoOf(p *fabric.Port) (data [mad.DataSize]byte) {
	if b := p.InfoBytes(); b != nil {
		data = *b
	}
	return data
}

func decode(data [mad.DataSize]byte) (info smp.PortInfo) {
	info.Decode(&data)
	return info
}

// text is a field of PortInfo as libibmad prints it.
func text(name string, data [mad.DataSize]byte) string {
	f, _ := new(smp.PortInfo).Fields().ByC(name)
	return string(f.AppendValue(nil, data[:]))
}

// valueText is the text of another value of a field.
func valueText(name string, v uint64) string {
	var data [mad.DataSize]byte
	f, _ := new(smp.PortInfo).Fields().ByC(name)
	f.SetUint(data[:], v)
	return text(name, data)
}

func speedText(p *fabric.Port, info *smp.PortInfo) string {
	if extended := extended(p, info.LinkSpeedExtActive, info.LinkSpeedExtActive2, true); extended != 0 {
		return extendedText(extended)
	}
	if fdr10(p, "LinkSpeedActive") {
		return "10.0 Gbps (FDR10)"
	}
	return valueText("LinkSpeedActive", uint64(info.LinkSpeedActive))
}

// extendedBits is how many speeds the first field of extended speeds holds; those
// of the second stand above.
const extendedBits = 5

func extendedText(speed uint) string {
	if above := speed >> extendedBits; above != 0 {
		return valueText("LinkSpeedExtActive2", uint64(above))
	}
	return valueText("LinkSpeedExtActive", uint64(speed))
}

// capabilities are those of a port, which on a switch port 0 tells.
func capabilities(p *fabric.Port) smp.PortInfo {
	if p.Node().Type() == ib.NodeSwitch {
		if p = p.Node().Port(0); p == nil {
			return smp.PortInfo{}
		}
	}
	info, _ := p.Info()
	return info
}

// extended puts the two fields of extended speeds together, as far as the port's
// capabilities say that they mean something. Of active speeds the second wins.
func extended(p *fabric.Port, first, second uint8, active bool) uint {
	caps := capabilities(p)
	if caps.CapMask&smp.CapExtendedSpeeds == 0 {
		return 0
	}
	above := uint(0)
	if caps.CapMask&smp.CapCapMask2 != 0 && caps.CapMask2&smp.Cap2ExtendedSpeeds2 != 0 {
		above = uint(second) << extendedBits
	}
	if active && above != 0 {
		return above
	}
	return uint(first) | above
}

// fdr10 reports whether FDR10 is in a field of Mellanox ExtendedPortInfo.
func fdr10(p *fabric.Port, name string) bool {
	data := p.ExtendedInfoBytes()
	if data == nil {
		return false
	}
	fields := new(smp.ExtendedPortInfo).Fields()
	f, ok := fields.ByC(name)
	return ok && f.Uint(data[:])&1 != 0
}

// Advice is what the width and the speed of a link could be, empty texts where
// they are what both ends support at best. A port without a link has none.
func Advice(p *fabric.Port) (width, speed string) {
	q := p.Remote()
	if q == nil {
		return "", ""
	}
	a, b := decode(infoOf(p)), decode(infoOf(q))
	if best := bestWidth(uint8(a.LinkWidthSupported) & uint8(b.LinkWidthSupported)); best&uint8(a.LinkWidthActive) == 0 {
		width = "Could be " + valueText("LinkWidthActive", uint64(best))
	}
	return width, speedAdvice(p, q, &a, &b)
}

// bestWidth is the widest of a set; the code of 2X is above those of the others.
func bestWidth(set uint8) uint8 {
	for _, w := range []uint8{8, 4, 2, 16} {
		if set&w != 0 {
			return w
		}
	}
	return 1
}

func speedAdvice(p, q *fabric.Port, a, b *smp.PortInfo) string {
	mine := extended(p, a.LinkSpeedExtSupported, a.LinkSpeedExtSupported2, false)
	theirs := extended(q, b.LinkSpeedExtSupported, b.LinkSpeedExtSupported2, false)
	if mine != 0 && theirs != 0 {
		best := highest(mine & theirs)
		if best&extended(p, a.LinkSpeedExtActive, a.LinkSpeedExtActive2, true) == 0 {
			return "Could be " + extendedText(best)
		}
		return ""
	}
	if fdr10(p, "LinkSpeedSupported") && fdr10(q, "LinkSpeedSupported") {
		switch {
		case fdr10(p, "LinkSpeedActive"):
			return ""
		case a.LinkSpeedActive == qdr:
			return "Could be FDR10 (Found link at QDR but expected speed is FDR10)"
		}
		return "Could be FDR10"
	}
	if best := highest(uint(a.LinkSpeedSupported & b.LinkSpeedSupported)); best&uint(a.LinkSpeedActive) == 0 {
		return "Could be " + valueText("LinkSpeedActive", uint64(best))
	}
	return ""
}

// qdr is the code of QDR in LinkSpeedActive.
const qdr = 4

// highest is the highest bit of a set, 1 for an empty one.
func highest(set uint) uint { return 1 << max(bits.Len(set)-1, 0) }
