package diags

import (
	"math"
	"strings"
)

// LeadingInt is strtol with base 0: the number at the start of s with its sign,
// 0 if there is none, the nearest there is if it is too large.
func LeadingInt(s string) int64 {
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	digits, negative := s, false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		digits, negative = s[1:], s[0] == '-'
	}
	v, overflow := leadingDigits(digits)
	switch {
	case negative && (overflow || v > math.MaxInt64):
		return math.MinInt64
	case negative:
		return -int64(v)
	case overflow || v > math.MaxInt64:
		return math.MaxInt64
	}
	return int64(v)
}

// LeadingUint is strtoull with base 0: as LeadingInt, for numbers without sign.
// A minus sign is taken as there: the number that is missing to 2^64.
func LeadingUint(s string) uint64 {
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	digits, negative := s, false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		digits, negative = s[1:], s[0] == '-'
	}
	v, overflow := leadingDigits(digits)
	switch {
	case overflow:
		return math.MaxUint64
	case negative:
		return -v
	}
	return v
}

// leadingDigits reads digits as C does: decimal, octal after 0, hexadecimal
// after 0x.
func leadingDigits(s string) (v uint64, overflow bool) {
	base := uint64(10)
	switch {
	case len(s) > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digitValue(s[2]) < 16:
		base, s = 16, s[2:]
	case s != "" && s[0] == '0':
		base = 8
	}
	for i := 0; i < len(s) && digitValue(s[i]) < base; i++ {
		d := digitValue(s[i])
		overflow = overflow || v > (math.MaxUint64-d)/base
		v = v*base + d
	}
	return v, overflow
}

// digitValue is the value of a digit, or more than any base has.
func digitValue(c byte) uint64 {
	switch {
	case c >= '0' && c <= '9':
		return uint64(c - '0')
	case c >= 'a' && c <= 'f':
		return uint64(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return uint64(c-'A') + 10
	}
	return math.MaxUint8
}

// LeadingDecimal is atoi: the decimal number at the start of s with its sign, 0
// if there is none, cut down to 32 bits.
func LeadingDecimal(s string) int32 {
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	digits, negative := s, false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		digits, negative = s[1:], s[0] == '-'
	}
	var v int64
	for i := 0; i < len(digits) && digitValue(digits[i]) < 10; i++ {
		v = min(v*10+int64(digitValue(digits[i])), math.MaxInt64/10-9)
	}
	if negative {
		v = -v
	}
	return int32(v)
}
