// Package escape makes untrusted text safe to print.
package escape

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text gives s with everything that a terminal might act on, or that could
// hide or reorder what stands around it, written as \xNN or \uNNNN: controls
// (C0, DEL, C1), line and paragraph separators, bidirectional and zero-width
// marks, blanks that are not U+0020, and bytes that are not UTF-8. Text that is
// plain comes back unchanged.
func Text(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1, r < 0x80 && !strconv.IsPrint(r):
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case strconv.IsPrint(r):
			b.WriteString(s[:size])
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		s = s[size:]
	}
	return b.String()
}

func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
