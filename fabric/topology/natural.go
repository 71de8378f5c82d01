package topology

import (
	"cmp"
	"strings"
)

// CompareNatural compares texts as people do: "mlx5_2" comes before "mlx5_10". It is
// -1, 0 or 1, and 0 for the same text only.
func CompareNatural(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		m, n := digits(x), digits(y)
		if m == 0 || n == 0 {
			if x[0] != y[0] {
				return cmp.Compare(x[0], y[0])
			}
			x, y = x[1:], y[1:]
			continue
		}
		v, w := strings.TrimLeft(x[:m], "0"), strings.TrimLeft(y[:n], "0")
		if c := cmp.Or(cmp.Compare(len(v), len(w)), cmp.Compare(v, w)); c != 0 {
			return c
		}
		x, y = x[m:], y[n:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(a, b))
}

// digits is how many digits s begins with.
func digits(s string) (n int) {
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}
