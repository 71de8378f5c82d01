package ib

import "strconv"

// LID is a 16-bit local identifier (IBA vol. 1, 4.1.3). Zero is "not assigned".
type LID uint16

// Bounds of the LID ranges.
const (
	MaxUnicastLID   LID = 0xbfff
	MinMulticastLID LID = 0xc000
	PermissiveLID   LID = 0xffff // addresses whoever receives the packet
)

// IsUnicast reports whether l can be assigned to a port: 1…0xbfff.
func (l LID) IsUnicast() bool { return l >= 1 && l <= MaxUnicastLID }

// IsMulticast reports whether l names a multicast group: 0xc000…0xfffe.
func (l LID) IsMulticast() bool { return l >= MinMulticastLID && l < PermissiveLID }

// String gives the decimal number, as the C tools print LIDs.
func (l LID) String() string { return strconv.Itoa(int(l)) }

// ParseLID reads a decimal, 0x hexadecimal or 0 octal number below 65536.
func ParseLID(s string) (LID, error) {
	v, err := strconv.ParseUint(s, 0, 16)
	if err != nil {
		return 0, &ParseError{Kind: "LID", Text: s}
	}
	return LID(v), nil
}
