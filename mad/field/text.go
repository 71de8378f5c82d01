package field

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// untilNUL is b up to its first NUL.
func untilNUL(b []byte) []byte {
	text, _, _ := bytes.Cut(b, []byte{0})
	return text
}

// appendQuoted appends the text of a field in single quotes, made safe for a
// terminal (see AppendPrintable). libibmad cuts the text of a 64-byte field
// after 62 characters and then loses the closing quote; here it is whole.
func appendQuoted(dst, b []byte) []byte {
	dst = append(dst, '\'')
	dst = AppendPrintable(dst, b)
	return append(dst, '\'')
}

// AppendPrintable appends the text in b up to its first NUL. Text that comes
// from a device may hold anything: characters that do not print (control
// characters, changes of direction) become blanks as in the C tools, bytes
// that are not UTF-8 become U+FFFD.
func AppendPrintable(dst, b []byte) []byte {
	b = untilNUL(b)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError, unicode.IsPrint(r):
			dst = utf8.AppendRune(dst, r)
		default:
			dst = append(dst, ' ')
		}
		b = b[n:]
	}
	return dst
}

// AppendQuotedJSON appends text as a JSON string. Characters that do not
// print are escaped, so that the result is safe on a terminal too; bytes that
// are not UTF-8 become U+FFFD.
func AppendQuotedJSON(dst, text []byte) []byte {
	dst = append(dst, '"')
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == utf8.RuneError || unicode.IsPrint(r):
			dst = utf8.AppendRune(dst, r)
		default:
			dst = appendEscapedRune(dst, r)
		}
		text = text[n:]
	}
	return append(dst, '"')
}

// appendEscapedRune appends \uXXXX, twice for a character beyond U+FFFF.
func appendEscapedRune(dst []byte, r rune) []byte {
	if r > 0xffff {
		r -= 0x10000
		dst = appendEscapedRune(dst, 0xd800+r>>10)
		return appendEscapedRune(dst, 0xdc00+r&0x3ff)
	}
	return appendHex(append(dst, `\u`...), uint64(r), 16)
}
