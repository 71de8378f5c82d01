package lines

import "bytes"

// Cursor is the part of a line that is not read yet. Its methods take things
// off its start; those that fail take nothing.
type Cursor []byte

// Blanks skips blanks and tabs.
func (c *Cursor) Blanks() {
	s := *c
	for len(s) > 0 && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	*c = s
}

// Byte takes b.
func (c *Cursor) Byte(b byte) bool {
	if len(*c) == 0 || (*c)[0] != b {
		return false
	}
	*c = (*c)[1:]
	return true
}

// Text takes a fixed text.
func (c *Cursor) Text(text string) bool {
	if len(*c) < len(text) || string((*c)[:len(text)]) != text {
		return false
	}
	*c = (*c)[len(text):]
	return true
}

// Uint takes a decimal number of at most 9 digits.
func (c *Cursor) Uint() (int, bool) {
	v, i := 0, 0
	for s := *c; i < len(s) && i < 10 && s[i] >= '0' && s[i] <= '9'; i++ {
		v = v*10 + int(s[i]-'0')
	}
	if i == 0 || i > 9 {
		return 0, false
	}
	*c = (*c)[i:]
	return v, true
}

// Word takes what stands before the next blank or the end; it may be empty.
func (c *Cursor) Word() []byte {
	i := bytes.IndexAny(*c, " \t")
	if i < 0 {
		i = len(*c)
	}
	w := (*c)[:i]
	*c = (*c)[i:]
	return w
}

// Between takes text in a pair of delimiters, which may be the same byte.
func (c *Cursor) Between(open, end byte) ([]byte, bool) {
	s := *c
	if len(s) == 0 || s[0] != open {
		return nil, false
	}
	i := bytes.IndexByte(s[1:], end)
	if i < 0 {
		return nil, false
	}
	*c = s[i+2:]
	return s[1 : i+1], true
}

// Hex reads a hexadecimal number of at most 16 digits, with or without 0x.
func Hex(b []byte) (uint64, bool) {
	if len(b) > 2 && b[0] == '0' && (b[1] == 'x' || b[1] == 'X') {
		b = b[2:]
	}
	if len(b) == 0 || len(b) > 16 {
		return 0, false
	}
	var v uint64
	for _, d := range b {
		switch {
		case d >= '0' && d <= '9':
			d -= '0'
		case d >= 'a' && d <= 'f':
			d -= 'a' - 10
		case d >= 'A' && d <= 'F':
			d -= 'A' - 10
		default:
			return 0, false
		}
		v = v<<4 | uint64(d)
	}
	return v, true
}
