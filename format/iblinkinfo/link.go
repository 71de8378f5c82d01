package iblinkinfo

import (
	"math/bits"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/smp"
)

// State is a port's width, speed and states in parentheses. Of a port that is
// down only the states mean anything.
func State(p *fabric.Port) string { return string(AppendState(nil, p)) }

// AppendState appends the same.
func AppendState(dst []byte, p *fabric.Port) []byte {
	data, known := infoOf(p), known()
	info := decode(data)
	if info.State == ib.PortDown {
		dst = append(dst, "(              "...)
		return appendStates(dst, known, data)
	}
	dst = append(dst, '(')
	trusted := p.Node().Type() != ib.NodeSwitch || p.Node().Port(0) != nil // C trusts nothing without port 0
	mark := len(dst)
	if trusted {
		dst = known.width.AppendValue(dst, data[:])
	} else {
		dst = appendText(dst, &known.width, 0)
	}
	dst = append(right(dst, mark, 3), ' ')
	mark = len(dst)
	if trusted {
		dst = appendSpeed(dst, p, &info)
	} else {
		dst = appendText(dst, &known.speed, 0)
	}
	dst = append(right(dst, mark, 18), ' ')
	return appendStates(dst, known, data)
}

func appendStates(dst []byte, known *fields, data *[mad.DataSize]byte) []byte {
	mark := len(dst)
	dst = append(right(known.linkState.AppendValue(dst, data[:]), mark, 6), '/')
	mark = len(dst)
	return append(right(known.physState.AppendValue(dst, data[:]), mark, 8), ')')
}

// infoOf is the PortInfo of a port, zeros where it is not known.
func infoOf(p *fabric.Port) *[mad.DataSize]byte {
	if b := p.InfoBytes(); b != nil {
		return b
	}
	return new([mad.DataSize]byte)
}

func decode(data *[mad.DataSize]byte) (info smp.PortInfo) {
	info.Decode(data)
	return info
}

func appendSpeed(dst []byte, p *fabric.Port, info *smp.PortInfo) []byte {
	if extended := extended(p, info.LinkSpeedExtActive, info.LinkSpeedExtActive2, true); extended != 0 {
		return appendExtended(dst, extended)
	}
	if isFDR10(p, &known().fdr10Active) {
		return append(dst, "10.0 Gbps (FDR10)"...)
	}
	return appendText(dst, &known().speed, uint64(info.LinkSpeedActive))
}

// extendedBits is how many speeds the first field of extended speeds holds; those
// of the second stand above.
const extendedBits = 5

func appendExtended(dst []byte, speed uint) []byte {
	if above := speed >> extendedBits; above != 0 {
		return appendText(dst, &known().extended2, uint64(above))
	}
	return appendText(dst, &known().extended, uint64(speed))
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

// isFDR10 reports whether FDR10 is in a field of Mellanox ExtendedPortInfo.
func isFDR10(p *fabric.Port, f *field.Field) bool {
	data := p.ExtendedInfoBytes()
	return data != nil && f.Uint(data[:])&1 != 0
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
		width = string(appendText([]byte(couldBe), &known().width, uint64(best)))
	}
	return width, speedAdvice(p, q, &a, &b)
}

const couldBe = "Could be "

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
			return string(appendExtended([]byte(couldBe), best))
		}
		return ""
	}
	if isFDR10(p, &known().fdr10Supported) && isFDR10(q, &known().fdr10Supported) {
		switch {
		case isFDR10(p, &known().fdr10Active):
			return ""
		case a.LinkSpeedActive == qdr:
			return "Could be FDR10 (Found link at QDR but expected speed is FDR10)"
		}
		return "Could be FDR10"
	}
	if best := highest(uint(a.LinkSpeedSupported & b.LinkSpeedSupported)); best&uint(a.LinkSpeedActive) == 0 {
		return string(appendText([]byte(couldBe), &known().speed, uint64(best)))
	}
	return ""
}

// qdr is the code of QDR in LinkSpeedActive.
const qdr = 4

// highest is the highest bit of a set, 1 for an empty one.
func highest(set uint) uint { return 1 << max(bits.Len(set)-1, 0) }
