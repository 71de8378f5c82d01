package smp

import (
	"bytes"
	"unicode/utf8"

	"github.com/ibscope/ibscope/mad/field"
)

// NodeDescription is the text that names a node to people (14.2.5.2). It is
// set by whoever runs the node, so it may hold anything.
//
//mad:attr id=0x0010
type NodeDescription struct {
	Description [64]byte `mad:"0,512" c:"NodeDesc,string"` // UTF-8, ends at the first NUL if there is one
}

// String is the description made fit for output: without what follows the
// first NUL, with blanks for characters that do not print, and U+FFFD for
// bytes that are not UTF-8. Quotes and backslashes stay.
func (v *NodeDescription) String() string {
	return string(field.AppendPrintable(make([]byte, 0, len(v.Description)), v.Description[:]))
}

// Raw is the description up to its first NUL, as the device sent it.
func (v *NodeDescription) Raw() []byte {
	text, _, _ := bytes.Cut(v.Description[:], []byte{0})
	return text
}

// SetString sets the description to as many whole characters of s as fit.
func (v *NodeDescription) SetString(s string) {
	v.Description = [64]byte{}
	if len(s) > len(v.Description) {
		n := len(v.Description)
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	copy(v.Description[:], s)
}
