package fabricjson

import (
	"strconv"
	"unicode/utf8"
)

// encoder appends JSON to a buffer. Commas come by themselves.
type encoder struct {
	b []byte
}

func (e *encoder) open(bracket byte)  { e.comma(); e.b = append(e.b, bracket) }
func (e *encoder) close(bracket byte) { e.b = append(e.b, bracket) }

// comma parts a value from the one before it.
func (e *encoder) comma() {
	if n := len(e.b); n > 0 {
		switch e.b[n-1] {
		case '{', '[', ':', '\n':
		default:
			e.b = append(e.b, ',')
		}
	}
}

func (e *encoder) key(name string) {
	e.comma()
	e.b = append(e.b, '"')
	e.b = append(e.b, name...)
	e.b = append(e.b, '"', ':')
}

func (e *encoder) object(name string, fields func()) {
	e.key(name)
	e.open('{')
	fields()
	e.close('}')
}

func (e *encoder) text(name, value string) {
	e.key(name)
	e.b = appendString(e.b, value)
}

func (e *encoder) number(name string, value int64) {
	e.key(name)
	e.b = strconv.AppendInt(e.b, value, 10)
}

func (e *encoder) float(name string, value float64, decimals int) {
	e.key(name)
	e.b = strconv.AppendFloat(e.b, value, 'f', decimals, 64)
}

func (e *encoder) flag(name string, value bool) {
	e.key(name)
	e.b = strconv.AppendBool(e.b, value)
}

const hexDigits = "0123456789abcdef"

// appendString appends s as a JSON string. Bytes that are not UTF-8 become
// U+FFFD; what is not printable is escaped although JSON would admit it.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == utf8.RuneError && size == 1:
			b = append(b, `\ufffd`...)
		case strconv.IsPrint(r):
			b = append(b, s[:size]...)
		case r > 0xffff:
			r -= 0x10000
			b = appendUnit(appendUnit(b, 0xd800+r>>10), 0xdc00+r&0x3ff)
		default:
			b = appendUnit(b, r)
		}
		s = s[size:]
	}
	return append(b, '"')
}

// appendUnit appends one UTF-16 code unit as \uNNNN.
func appendUnit(b []byte, u rune) []byte {
	return append(b, '\\', 'u', hexDigits[u>>12&15], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
}
