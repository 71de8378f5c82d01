package field

import "strconv"

// AppendValue appends the value of f in libibmad's text form, without name
// and line end. Of an array it is the first element, except in the formats
// Array and Text, which show all bytes. A value of several lines (CapMask)
// holds the line ends between them.
func (f *Field) AppendValue(dst, data []byte) []byte {
	switch f.Format {
	case Array:
		return appendHexBytes(dst, f.Bytes(data))
	case Text:
		return appendQuoted(dst, f.Bytes(data))
	}
	return f.Format.appendUint(dst, f.Uint(data), int(f.Width))
}

// appendUint appends v, the value of a field width bits wide.
func (f Format) appendUint(dst []byte, v uint64, width int) []byte {
	switch f {
	case Hex:
		return appendHex(append(dst, "0x"...), v, width)
	case RawHex:
		return appendHex(dst, v, width)
	case NodeTypeText, StateText, PhysText, DownDefaultText, MTUText, VLCapText, OperVLsText:
		return appendCode(dst, f, v)
	case Width, WidthSupported, WidthEnabled:
		return appendWidth(dst, f, v)
	case Speed, SpeedSupported, SpeedEnabled:
		return appendSpeed(dst, f, v)
	case ExtSpeed, ExtSpeedSupported, ExtSpeedEnabled:
		return appendExtSpeed(dst, f, v)
	case ExtSpeed2, ExtSpeed2Supported, ExtSpeed2Enabled:
		return appendExtSpeed2(dst, f, v)
	case CapMask:
		return appendMask(dst, v, capMaskNames[:])
	case CapMask2:
		return appendMask(dst, v, capMask2Names[:])
	}
	return strconv.AppendUint(dst, v, 10)
}

const hexDigits = "0123456789abcdef"

// appendHex appends two digits for each byte that width bits need.
func appendHex(dst []byte, v uint64, width int) []byte {
	for shift := (width+7)/8*8 - 4; shift >= 0; shift -= 4 {
		dst = append(dst, hexDigits[v>>shift&0xf])
	}
	return dst
}

func appendHexBytes(dst, b []byte) []byte {
	for _, c := range b {
		dst = append(dst, hexDigits[c>>4], hexDigits[c&0xf])
	}
	return dst
}

func indexed(name string, i int) string {
	if name == "" {
		return ""
	}
	return name + strconv.Itoa(i)
}
