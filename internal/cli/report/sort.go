package report

import (
	"cmp"
	"slices"
	"strings"
)

// sortKey is a column to sort by.
type sortKey struct {
	column int
	down   bool
}

// parseSort reads "name,-name": columns, with a minus for the largest first.
func parseSort(columns []Column, list string) ([]sortKey, error) {
	var keys []sortKey
	for name := range strings.SplitSeq(list, ",") {
		if name == "" {
			continue
		}
		plain, down := strings.CutPrefix(name, "-")
		i := find(columns, plain)
		if i < 0 {
			return nil, noColumn("--sort", columns, plain)
		}
		keys = append(keys, sortKey{i, down})
	}
	return keys, nil
}

// sortRows sorts rows; those that are equal keep their order.
func sortRows(rows [][]Cell, keys []sortKey) {
	if len(keys) == 0 {
		return
	}
	slices.SortStableFunc(rows, func(a, b []Cell) int {
		for _, k := range keys {
			if c := compareCells(&a[k.column], &b[k.column], k.down); c != 0 {
				return c
			}
		}
		return 0
	})
}

// compareCells has cells without a value last, whatever the direction.
func compareCells(a, b *Cell, down bool) int {
	if a.kind == absent || b.kind == absent {
		return boolInt(a.kind == absent) - boolInt(b.kind == absent)
	}
	c := 0
	if a.kind == textual || b.kind == textual {
		c = compareNatural(a.text, b.text)
	} else {
		c = cmp.Compare(a.number, b.number)
	}
	if down {
		return -c
	}
	return c
}

// compareNatural compares texts so that numbers in them count as numbers:
// "node2" comes before "node10".
func compareNatural(a, b string) int {
	for a != "" && b != "" {
		na, nb := leadingDigits(a), leadingDigits(b)
		if na > 0 && nb > 0 {
			x, y := strings.TrimLeft(a[:na], "0"), strings.TrimLeft(b[:nb], "0")
			if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
				return c
			}
			a, b = a[na:], b[nb:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

func leadingDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
