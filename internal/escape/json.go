package escape

import (
	"strconv"
	"unicode/utf8"
)

// JSON gives a JSON text with every character in its strings that Text would
// not print as it is written as \uNNNN; newlines and tabs outside of them stay.
// It means the same, but is safe to show on a terminal.
func JSON(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && size == 1:
			out = append(out, `\ufffd`...)
		case strconv.IsPrint(r) || r == '\n' || r == '\t':
			out = append(out, b[:size]...)
		case r > 0xffff:
			r -= 0x10000
			out = appendUnit(appendUnit(out, 0xd800+r>>10), 0xdc00+r&0x3ff)
		default:
			out = appendUnit(out, r)
		}
		b = b[size:]
	}
	return out
}

// appendUnit appends a UTF-16 code unit as \uNNNN.
func appendUnit(b []byte, u rune) []byte {
	const digits = "0123456789abcdef"
	return append(b, '\\', 'u', digits[u>>12&15], digits[u>>8&15], digits[u>>4&15], digits[u&15])
}
