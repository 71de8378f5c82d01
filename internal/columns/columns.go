// Package columns fits escaped text into columns of a terminal.
package columns

import (
	"strings"
	"unicode"
)

// wide are the scripts whose characters take two columns of a terminal.
var wide = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo, unicode.Yi, fullWidth,
}

// fullWidth are the ideographic signs, the full-width forms and the pictographs.
var fullWidth = &unicode.RangeTable{
	R16: []unicode.Range16{{0x3000, 0x303e, 1}, {0xff01, 0xff60, 1}, {0xffe0, 0xffe6, 1}},
	R32: []unicode.Range32{{0x1f300, 0x1f64f, 1}, {0x1f680, 0x1f6ff, 1}, {0x1f900, 0x1f9ff, 1}},
}

// runeWidth is how many columns of a terminal a printable character takes.
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r >= 0x1100 && unicode.In(r, wide...):
		return 2
	}
	return 1
}

// Width is how many columns of a terminal an escaped text takes.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// leastTail is how much of the end of a text is left when its first word is kept whole.
const leastTail = 3

// Cut shortens a text to a width of at least 2 by taking out a part behind its middle: names
// differ at their beginning mostly, or at their end. The first word, which is the name of
// a host, stays whole if there is room.
func Cut(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	head := max(1, (width-1)*2/3)
	if word, _, more := strings.Cut(s, " "); more && Width(word) <= width-1-leastTail {
		head = max(head, Width(word))
	}
	front, back := takeFront(s, head), takeBack(s, width-1-head)
	return front + "…" + back
}

func takeFront(s string, width int) string {
	for i, r := range s {
		if width -= runeWidth(r); width < 0 {
			return s[:i]
		}
	}
	return s
}

func takeBack(s string, width int) string {
	runes := []rune(s)
	for i := len(runes) - 1; i >= 0; i-- {
		if width -= runeWidth(runes[i]); width < 0 {
			return string(runes[i+1:])
		}
	}
	return s
}

// Pad fills a text with blanks.
func Pad(s string, width int, right bool) string {
	blanks := strings.Repeat(" ", max(0, width-Width(s)))
	if right {
		return blanks + s
	}
	return s + blanks
}

// Wrap breaks a text into lines of a width at its blanks; 0 is no limit.
func Wrap(s string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(s) {
		switch {
		case line == "":
			line = word
		case width > 0 && Width(line)+1+Width(word) > width:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}
