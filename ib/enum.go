package ib

import (
	"fmt"
	"strconv"
	"strings"
)

// enumNames are the names of the codes 0, 1, 2 … of an enumeration; an empty
// name means that the code is not defined.
type enumNames []string

func (n enumNames) text(code uint8) string {
	if int(code) < len(n) && n[code] != "" {
		return n[code]
	}
	return unknownText(uint64(code))
}

func (n enumNames) parse(kind, s string) (uint8, error) {
	for code, name := range n {
		if name != "" && strings.EqualFold(name, s) {
			return uint8(code), nil
		}
	}
	v, err := parseUnknown(s, 8)
	if err != nil {
		return 0, &ParseError{Kind: kind, Text: s}
	}
	return uint8(v), nil
}

// unknownText is how an undefined code is written, in every enumeration.
func unknownText(code uint64) string { return fmt.Sprintf("unknown (%d)", code) }

// parseUnknown reads what unknownText writes, or a bare decimal number.
func parseUnknown(s string, bits int) (uint64, error) {
	if inner, ok := strings.CutPrefix(s, "unknown ("); ok {
		s = strings.TrimSuffix(inner, ")")
	}
	return strconv.ParseUint(s, 10, bits)
}

// A ParseError says which text could not be read, and as what.
type ParseError struct {
	Kind string // "GUID", "LID", "directed route", …
	Text string
}

func (e *ParseError) Error() string { return fmt.Sprintf("ib: %q is not a valid %s", e.Text, e.Kind) }
