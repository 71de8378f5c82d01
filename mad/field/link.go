package field

import "strconv"

// The words of libibmad for the bits of a set, from bit 0 on.
var (
	widthWords    = [...]string{"1X", "4X", "8X", "12X", "2X"}
	speedWords    = [...]string{"2.5 Gbps", "5.0 Gbps", "10.0 Gbps"}
	extSpeedWords = [...]string{"14.0625 Gbps", "25.78125 Gbps", "53.125 Gbps", "106.25 Gbps"}

	// libibmad's own table ends at XDR, and what it writes for several bits
	// overwrites itself; here all defined bits and the rest are shown as for
	// the other speeds.
	extSpeed2Words = [...]string{"212.5 Gbps"}
)

// extSpeedsDisabled is the code of PortInfo.LinkSpeedExtEnabled that turns
// extended speeds off.
const extSpeedsDisabled = 30

const ibaExtension = " (IBA extension)"

// appendOne appends the word for the only bit of v, else "undefined (9)".
func appendOne(dst []byte, v uint64, words []string) []byte {
	for i, w := range words {
		if v == 1<<i {
			return append(dst, w...)
		}
	}
	return appendUndefined(dst, v)
}

// appendSet appends the words for the bits of v. The whole value is added as
// undefined when it has other bits, or none.
func appendSet(dst []byte, v uint64, words []string) []byte {
	sep := ""
	for i, w := range words {
		if v&(1<<i) != 0 {
			dst = append(append(dst, sep...), w...)
			sep = " or "
		}
	}
	if v == 0 || v>>len(words) != 0 {
		dst = appendUndefined(append(dst, sep...), v)
	}
	return dst
}

func appendUndefined(dst []byte, v uint64) []byte {
	dst = append(dst, "undefined ("...)
	return append(strconv.AppendUint(dst, v, 10), ')')
}

func appendWidth(dst []byte, f Format, v uint64) []byte {
	if f == Width {
		return appendOne(dst, v, widthWords[:])
	}
	dst = appendSet(dst, v, widthWords[:])
	if f == WidthSupported && !isStandardWidthSet(v) {
		dst = append(dst, ibaExtension...)
	}
	return dst
}

// isStandardWidthSet reports whether IBA lists v among the values of
// LinkWidthSupported; libibmad says nothing about values above 31.
func isStandardWidthSet(v uint64) bool {
	switch v {
	case 1, 3, 7, 11, 15, 17, 19, 23, 27, 31:
		return true
	}
	return v > 31
}

func appendSpeed(dst []byte, f Format, v uint64) []byte {
	if f == Speed {
		if v == 0 {
			return append(dst, "Extended speed"...)
		}
		return appendOne(dst, v, speedWords[:])
	}
	dst = appendSet(dst, v, speedWords[:])
	if v <= 7 && v != 1 && v != 3 && v != 5 && v != 7 {
		dst = append(dst, ibaExtension...)
	}
	return dst
}

func appendExtSpeed(dst []byte, f Format, v uint64) []byte {
	switch {
	case f == ExtSpeed && v == 0:
		return append(dst, "No Extended Speed"...)
	case f == ExtSpeed:
		return appendOne(dst, v, extSpeedWords[:])
	case f == ExtSpeedEnabled && v == extSpeedsDisabled:
		return append(dst, "Extended link speeds disabled"...)
	case v == 0:
		return append(dst, '0')
	}
	return appendSet(dst, v, extSpeedWords[:])
}

func appendExtSpeed2(dst []byte, f Format, v uint64) []byte {
	switch {
	case f == ExtSpeed2 && v == 0:
		return append(dst, "No Extended Speed 2"...)
	case f == ExtSpeed2:
		return appendOne(dst, v, extSpeed2Words[:])
	case v == 0:
		return append(dst, '0')
	}
	return appendSet(dst, v, extSpeed2Words[:])
}
