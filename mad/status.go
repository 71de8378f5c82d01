package mad

import (
	"fmt"
	"strings"
)

// Status is the status field of a reply (IBA vol. 1, 13.4.7). It is an error:
//
//	errors.Is(err, mad.StatusUnsupportedAttr)
//
// is true for every reply that refuses its attribute, whatever the busy,
// redirect and class-specific bits beside it.
type Status uint16

// The common status values.
const (
	StatusOK                Status = 0x0000
	StatusBusy              Status = 0x0001 // bit: the agent had no room, ask again
	StatusRedirect          Status = 0x0002 // bit: ask elsewhere, see ClassPortInfo
	StatusBadVersion        Status = 0x0004 // class version not supported
	StatusUnsupportedMethod Status = 0x0008
	StatusUnsupportedAttr   Status = 0x000c // method and attribute do not go together
	StatusInvalidValue      Status = 0x001c // a field of attribute or modifier is invalid
)

// codeMask covers the invalid-field code, bits 2–4.
const codeMask Status = 0x001c

// Is reports whether s has the code of target (codes, the class-specific one
// too, compare as a whole, the busy and redirect bits one by one).
func (s Status) Is(target error) bool {
	t, ok := target.(Status)
	if !ok {
		return false
	}
	if c := t.ClassSpecific(); c != 0 {
		return s.ClassSpecific() == c
	}
	if t&codeMask != 0 {
		return s&codeMask == t&codeMask
	}
	return s&t == t && (t != 0 || s == 0)
}

// ClassSpecific is the class-specific part of the status, bits 8–15.
func (s Status) ClassSpecific() uint8 { return uint8(s >> 8) }

// Error says the status in words, for example
// "status 0x000c: method or attribute not supported".
func (s Status) Error() string {
	var words []string
	switch s & codeMask {
	case 0:
	case StatusBadVersion:
		words = append(words, "class version not supported")
	case StatusUnsupportedMethod:
		words = append(words, "method not supported")
	case StatusUnsupportedAttr:
		words = append(words, "method not supported for this attribute")
	case StatusInvalidValue:
		words = append(words, "invalid value in attribute or modifier")
	default:
		words = append(words, fmt.Sprintf("reserved code %d", s&codeMask>>2))
	}
	if s&StatusBusy != 0 {
		words = append(words, "agent busy")
	}
	if s&StatusRedirect != 0 {
		words = append(words, "redirection required")
	}
	if c := s.ClassSpecific(); c != 0 {
		words = append(words, fmt.Sprintf("class-specific code 0x%02x", c))
	}
	if len(words) == 0 {
		words = append(words, "ok")
	}
	return fmt.Sprintf("status 0x%04x: %s", uint16(s), strings.Join(words, ", "))
}
