package ib

import (
	"cmp"
	"strconv"
	"strings"
)

// GUID is a 64-bit EUI-64 identifier of a node, port, or system image
// (IBA vol. 1, 4.1). The zero GUID means "none".
type GUID uint64

// ParseGUID reads a GUID in any form that InfiniBand tools print: 16 or fewer
// hexadecimal digits with or without "0x" (0x0008f10403960558, 8f10403960558),
// or groups joined by colons (0008:f104:0396:0558).
func ParseGUID(s string) (GUID, error) {
	digits := strings.TrimSpace(s)
	if len(digits) > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') {
		digits = digits[2:]
	}
	if strings.Contains(digits, ":") {
		digits = strings.ReplaceAll(digits, ":", "")
	}
	v, err := strconv.ParseUint(digits, 16, 64)
	if err != nil {
		return 0, &ParseError{Kind: "GUID", Text: s}
	}
	return GUID(v), nil
}

// IsZero reports whether g is the absent GUID.
func (g GUID) IsZero() bool { return g == 0 }

// Compare orders GUIDs by value.
func (g GUID) Compare(h GUID) int { return cmp.Compare(g, h) }

// String gives the form 0x0008f10403960558.
func (g GUID) String() string { return string(g.append(nil)) }

// AppendText implements encoding.TextAppender with the form of String.
func (g GUID) AppendText(b []byte) ([]byte, error) {
	return g.append(b), nil
}

func (g GUID) append(b []byte) []byte {
	const digits = "0123456789abcdef"
	b = append(b, "0x"...)
	for shift := 60; shift >= 0; shift -= 4 {
		b = append(b, digits[g>>shift&15])
	}
	return b
}

// MarshalText implements encoding.TextMarshaler.
func (g GUID) MarshalText() ([]byte, error) { return g.AppendText(nil) }

// UnmarshalText implements encoding.TextUnmarshaler; see ParseGUID.
func (g *GUID) UnmarshalText(b []byte) error {
	v, err := ParseGUID(string(b))
	if err != nil {
		return err
	}
	*g = v
	return nil
}
