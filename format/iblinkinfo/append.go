package iblinkinfo

import (
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/smp"
)

// The lines of a large fabric are a quarter of what iblinkinfo takes, so they are
// appended and not formatted.

// fields are those of PortInfo and of Mellanox ExtendedPortInfo that a line tells.
type fields struct {
	linkState, physState, width, speed, extended, extended2 field.Field
	fdr10Active, fdr10Supported                             field.Field
}

var known = sync.OnceValue(func() *fields {
	of := func(t field.Table, name string) field.Field {
		f, ok := t.ByC(name)
		if !ok {
			panic("iblinkinfo: no field " + name)
		}
		return f
	}
	info, mlx := new(smp.PortInfo).Fields(), new(smp.ExtendedPortInfo).Fields()
	return &fields{
		linkState: of(info, "LinkState"), physState: of(info, "PhysLinkState"),
		width: of(info, "LinkWidthActive"), speed: of(info, "LinkSpeedActive"),
		extended: of(info, "LinkSpeedExtActive"), extended2: of(info, "LinkSpeedExtActive2"),
		fdr10Active: of(mlx, "LinkSpeedActive"), fdr10Supported: of(mlx, "LinkSpeedSupported"),
	}
})

// appendText appends another value of a field as libibmad prints it.
func appendText(dst []byte, f *field.Field, v uint64) []byte {
	var data [mad.DataSize]byte
	f.SetUint(data[:], v)
	return f.AppendValue(dst, data[:])
}

const blanks = "                              "

// right puts blanks before what dst has from mark on, up to a width of at most 30.
func right(dst []byte, mark, width int) []byte {
	n := width - utf8.RuneCount(dst[mark:])
	if n <= 0 {
		return dst
	}
	dst = append(dst, blanks[:n]...)
	copy(dst[mark+n:], dst[mark:])
	copy(dst[mark:], blanks[:n])
	return dst
}

func appendInt(dst []byte, v int64, width int) []byte {
	return right(strconv.AppendInt(dst, v, 10), len(dst), width)
}

// appendGUID appends a GUID and a blank.
func appendGUID(dst []byte, g ib.GUID) []byte {
	dst, _ = g.AppendText(dst) // it has no error
	return append(dst, ' ')
}
