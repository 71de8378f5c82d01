package rdma

import (
	"cmp"
	"strings"
)

// ByName is the natural order of names, mlx5_2 before mlx5_10. It is the order
// of Devices.
func ByName(a, b *Device) int { return compareNatural(a.Name, b.Name) }

// ByBytes is the order of strcmp, mlx5_10 before mlx5_2: the order of ibstat.
func ByBytes(a, b *Device) int { return strings.Compare(a.Name, b.Name) }

// ByIndex is the order of netlink indexes, which ibv_get_device_list gives;
// devices without an index come last, by name.
func ByIndex(a, b *Device) int {
	return cmp.Or(cmp.Compare(uint(a.Index), uint(b.Index)), ByName(a, b))
}

// compareNatural compares digits as numbers and the rest as bytes. Names that
// differ in leading zeros only are ordered by their bytes.
func compareNatural(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		if isDigit(x[0]) && isDigit(y[0]) {
			var m, n string
			m, x = cutDigits(x)
			n, y = cutDigits(y)
			if c := cmp.Or(cmp.Compare(len(m), len(n)), strings.Compare(m, n)); c != 0 {
				return c
			}
			continue
		}
		if x[0] != y[0] {
			return cmp.Compare(x[0], y[0])
		}
		x, y = x[1:], y[1:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// cutDigits splits the leading number off, without leading zeros.
func cutDigits(s string) (digits, rest string) {
	i := 0
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return strings.TrimLeft(s[:i], "0"), s[i:]
}
