package ibfindnodesusing

import (
	"cmp"
	"sort"
	"strings"
)

// numbered is a name with the digits at its end apart.
type numbered struct{ prefix, digits string }

// fold sorts names and writes those that go up by one as ranges: node1 node2
// node3 are node1-3.
func fold(names []string) (folded []string) {
	list := make([]numbered, len(names))
	for i, name := range names {
		prefix := strings.TrimRight(name, "0123456789")
		list[i] = numbered{prefix, name[len(prefix):]}
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return cmp.Or(cmp.Compare(a.prefix, b.prefix), compareDigits(a.digits, b.digits)) < 0
	})
	for len(list) > 0 {
		n := 1
		for n < len(list) && follows(list[n-1], list[n]) {
			n++
		}
		text := list[0].prefix + list[0].digits
		if n > 1 {
			text += "-" + list[n-1].digits
		}
		folded, list = append(folded, text), list[n:]
	}
	return folded
}

// compareDigits compares numbers of any length; none is 0.
func compareDigits(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// follows reports whether b is the name one up from a.
func follows(a, b numbered) bool {
	return a.prefix == b.prefix && a.digits != "" && compareDigits(next(a.digits), b.digits) == 0
}

// next is the decimal number one up.
func next(digits string) string {
	d := []byte("0" + digits)
	for i := len(d) - 1; i >= 0; i-- {
		if d[i] != '9' {
			d[i]++
			break
		}
		d[i] = '0'
	}
	return string(d)
}
