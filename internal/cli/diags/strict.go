package diags

import (
	"errors"
	"math"
	"strings"
)

// Mistakes in a number, in the words of infiniband-diags.
var (
	ErrNumber = errors.New("invalid integer input")
	ErrRange  = errors.New("value out of range")
)

// WholeUint is strtoull with base 0 for text that must be a number as a whole:
// ErrRange beyond 64 bits, else ErrNumber. As in C, the empty text is 0 and a
// minus sign is taken.
func WholeUint(s string) (uint64, error) {
	if s == "" {
		return 0, nil
	}
	digits := strings.TrimLeft(s, " \t\n\v\f\r")
	if digits != "" && (digits[0] == '-' || digits[0] == '+') {
		digits = digits[1:]
	}
	if _, overflow := leadingDigits(digits); overflow {
		return math.MaxUint64, ErrRange
	}
	if !isNumber(digits) {
		return 0, ErrNumber
	}
	return LeadingUint(s), nil
}

// isNumber reports whether s is digits and nothing else, in the base that its
// start tells.
func isNumber(s string) bool {
	base := uint64(10)
	switch {
	case len(s) > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X'):
		base, s = 16, s[2:]
	case s != "" && s[0] == '0':
		base = 8
	}
	for i := range len(s) {
		if digitValue(s[i]) >= base {
			return false
		}
	}
	return s != ""
}
