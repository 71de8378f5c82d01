package ib

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// Package net/netip has all of this. But it makes tables when a program starts, after
// almost all other packages have made theirs (docs/performance.md), and each tool that
// prints a GID would wait for them.

// parseIPv6 reads the text of an IPv6 address without a zone (RFC 4291, 2.2), or of an
// IPv4 address, which becomes a mapped one.
func parseIPv6(s string) (a [16]byte, ok bool) {
	if !strings.Contains(s, ":") {
		a[10], a[11] = 0xff, 0xff
		return a, parseIPv4(s, a[12:])
	}
	gap, n := -1, 0 // where the zeros of :: begin, and bytes read
	if rest, found := strings.CutPrefix(s, "::"); found {
		gap, s = 0, rest
	}
	for s != "" {
		field, rest, more := strings.Cut(s, ":")
		switch {
		case n == len(a) || more && rest == "":
			return a, false
		case !more && strings.Contains(field, "."):
			if n+4 > len(a) || !parseIPv4(field, a[n:]) {
				return a, false
			}
			n += 4
		default:
			v, err := strconv.ParseUint(field, 16, 16)
			if err != nil || len(field) > 4 {
				return a, false
			}
			binary.BigEndian.PutUint16(a[n:], uint16(v))
			n += 2
		}
		if strings.HasPrefix(rest, ":") {
			if gap >= 0 {
				return a, false
			}
			gap, rest = n, rest[1:]
		}
		s = rest
	}
	if gap < 0 || n == len(a) { // :: stands for one group at least
		return a, gap < 0 && n == len(a)
	}
	end := a // with the groups behind the gap
	clear(a[gap:])
	copy(a[len(a)-(n-gap):], end[gap:n])
	return a, true
}

// parseIPv4 reads four decimal numbers without leading zeros.
func parseIPv4(s string, to []byte) bool {
	for i := range 4 {
		field, rest, more := strings.Cut(s, ".")
		v, err := strconv.ParseUint(field, 10, 8)
		if err != nil || len(field) > 1 && field[0] == '0' || more != (i < 3) {
			return false
		}
		to[i], s = byte(v), rest
	}
	return true
}

// appendIPv6 appends the text form of RFC 5952: the first of the longest runs of zeros,
// from two groups on, is ::.
func appendIPv6(b []byte, a *[16]byte) []byte {
	if [12]byte(a[:]) == [12]byte{10: 0xff, 11: 0xff} {
		return appendIPv4(append(b, "::ffff:"...), a[12:])
	}
	from, to := longestZeros(a)
	for i := 0; i < len(a); i += 2 {
		if i == from {
			b, i = append(b, "::"...), to
			if i == len(a) {
				break
			}
		} else if i > 0 {
			b = append(b, ':')
		}
		b = strconv.AppendUint(b, uint64(binary.BigEndian.Uint16(a[i:])), 16)
	}
	return b
}

// longestZeros gives the bytes that :: stands for, -1 if there are none.
func longestZeros(a *[16]byte) (from, to int) {
	for i := 0; i < len(a); i += 2 {
		end := i
		for end < len(a) && a[end] == 0 && a[end+1] == 0 {
			end += 2
		}
		if end-i > max(2, to-from) {
			from, to = i, end
		}
	}
	if to == 0 {
		from, to = -1, -1
	}
	return from, to
}

func appendIPv4(b, a []byte) []byte {
	for i := range 4 {
		if i > 0 {
			b = append(b, '.')
		}
		b = strconv.AppendUint(b, uint64(a[i]), 10)
	}
	return b
}
