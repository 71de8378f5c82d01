package field

import (
	"strconv"

	"github.com/ibscope/ibscope/ib"
)

// AppendJSON appends an object with the fields in table order: numbers as
// numbers, those that the C tools print in hexadecimal as strings ("0x0011"),
// enumerations as their text in package ib, arrays as arrays.
func (t Table) AppendJSON(dst, data []byte) []byte {
	dst = append(dst, '{')
	first := true
	for i := range t {
		f := &t[i]
		if f.Flags&Alias != 0 || !f.In(data) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(append(dst, '"'), f.JSON...), `":`...)
		dst = f.AppendJSON(dst, data)
	}
	return append(dst, '}')
}

// AppendJSON appends the value of the field as JSON.
func (f *Field) AppendJSON(dst, data []byte) []byte {
	switch {
	case f.Kind == Bytes && f.Count > 0: // as a list, below
	case f.Kind == Bytes && f.Format == Text:
		return AppendQuotedJSON(dst, untilNUL(f.Bytes(data)))
	case f.Kind == Bytes:
		return append(appendHexBytes(append(dst, `"0x`...), f.Bytes(data)), '"')
	case f.Count == 0:
		return f.appendElementJSON(dst, data, 0)
	}
	dst = append(dst, '[')
	for i := range f.Elements() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = f.appendElementJSON(dst, data, i)
	}
	return append(dst, ']')
}

func (f *Field) appendElementJSON(dst, data []byte, i int) []byte {
	v := f.UintAt(data, i)
	switch {
	case f.Kind == Bytes:
		e := f.Element(i)
		return e.AppendJSON(dst, data)
	case f.Kind == Bool:
		return strconv.AppendBool(dst, v != 0)
	case f.Kind == GID:
		var gid ib.GID
		e := f.Element(i)
		copy(gid[:], e.Bytes(data))
		return appendString(dst, gid.String())
	case f.Kind == GUID || f.Kind == PKey:
		return appendHexString(dst, v, int(f.Width))
	case f.Kind != Number && f.Kind != LID:
		return appendString(dst, f.Kind.text(v))
	}
	switch f.Format {
	case Hex, RawHex, CapMask, CapMask2:
		return appendHexString(dst, v, int(f.Width))
	case Speed, SpeedSupported, SpeedEnabled, ExtSpeed, ExtSpeedSupported, ExtSpeedEnabled,
		ExtSpeed2, ExtSpeed2Supported, ExtSpeed2Enabled:
		return appendString(dst, speed(f.Format, uint8(v)).String())
	}
	return strconv.AppendUint(dst, v, 10)
}

func appendHexString(dst []byte, v uint64, width int) []byte {
	return append(appendHex(append(dst, `"0x`...), v, width), '"')
}

// appendString appends a text that needs no escapes.
func appendString(dst []byte, s string) []byte {
	return append(append(append(dst, '"'), s...), '"')
}

// text is the text of package ib for a value of an enumeration.
func (k Kind) text(v uint64) string {
	switch k {
	case NodeType:
		return ib.NodeType(v).String()
	case PortState:
		return ib.PortState(v).String()
	case PhysState:
		return ib.PhysState(v).String()
	case LinkWidth:
		return ib.LinkWidth(v).String()
	case MTU:
		return ib.MTU(v).String()
	case VLCap:
		return ib.VLCap(v).String()
	case SMState:
		return ib.SMState(v).String()
	}
	return strconv.FormatUint(v, 10)
}

// speed is the set of lane speeds that a code of PortInfo stands for.
func speed(f Format, code uint8) ib.LinkSpeed {
	switch f {
	case Speed, SpeedSupported, SpeedEnabled:
		return ib.SpeedFrom(code, 0, 0)
	case ExtSpeedEnabled:
		if code == extSpeedsDisabled {
			return 0
		}
		return ib.SpeedFrom(0, code, 0)
	case ExtSpeed, ExtSpeedSupported:
		return ib.SpeedFrom(0, code, 0)
	}
	return ib.SpeedFrom(0, 0, code)
}
