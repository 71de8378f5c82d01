package vendstat

import (
	"math"
	"strings"

	"github.com/ibscope/ibscope/internal/cli/diags"
)

// blanks are those that scanf passes over in front of a number.
const blanks = " \t\n\v\f\r"

// scanDecimal is sscanf with "%d,%d": how many numbers it has read.
func scanDecimal(s string, to *[2]int32) int {
	for i := range to {
		digits, rest := cutNumber(s, "0123456789", "")
		if digits == "" {
			return i
		}
		to[i] = int32(clamp(digits))
		if !strings.HasPrefix(rest, ",") {
			return i + 1
		}
		s = rest[1:]
	}
	return len(to)
}

// clamp is the number as strtol reads it.
func clamp(digits string) int64 {
	sign := ""
	if digits[0] == '-' || digits[0] == '+' {
		sign, digits = digits[:1], digits[1:]
	}
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		return 0
	}
	return diags.LeadingInt(sign + digits)
}

// scanHex is sscanf with "%x,%x,…": how many numbers it has read. The others stay.
func scanHex(s string, to []uint32) int {
	for i := range to {
		digits, rest := cutNumber(s, "0123456789abcdefABCDEF", "0x")
		if digits == "" {
			return i
		}
		to[i] = hex(digits)
		if !strings.HasPrefix(rest, ",") {
			return i + 1
		}
		s = rest[1:]
	}
	return len(to)
}

// hex is the number as strtoul reads it, cut down to 32 bits.
func hex(digits string) uint32 {
	sign := ""
	if digits[0] == '-' || digits[0] == '+' {
		sign, digits = digits[:1], digits[1:]
	}
	if len(digits) > 1 && (digits[1] == 'x' || digits[1] == 'X') {
		digits = digits[2:]
	}
	if digits == "" {
		return 0
	}
	v := diags.LeadingUint("0x" + digits)
	if sign == "-" && v != math.MaxUint64 {
		v = -v
	}
	return uint32(v)
}

// cutNumber cuts a number with its sign and prefix from the start of s.
func cutNumber(s, digits, prefix string) (number, rest string) {
	s = strings.TrimLeft(s, blanks)
	n := 0
	if s != "" && (s[0] == '-' || s[0] == '+') {
		n = 1
	}
	start := n
	if prefix != "" && strings.HasPrefix(strings.ToLower(s[n:]), prefix) {
		n += len(prefix)
		start = n - 1 // the 0 is a number already
	}
	for n < len(s) && strings.IndexByte(digits, s[n]) >= 0 {
		n++
	}
	if n == start {
		return "", s
	}
	return s[:n], s[n:]
}
