package slurm

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric/topology"
)

// maxDigits is how many digits at the end of a name count as its number.
const maxDigits = 9

// numbered is a name that ends in a number.
type numbered struct {
	prefix string
	number int
	width  int // of the digits
}

// Compress writes names as one list of hosts: "node[001-128,130],login". Of a name
// only the number at its end is put into brackets, which all versions of Slurm read.
// Names are sorted, and each is there once.
func Compress(names []string) string {
	names = slices.Clone(names)
	slices.SortFunc(names, topology.CompareNatural)
	names = slices.Compact(names)
	var order []string // prefixes as they first come
	groups := map[string][]numbered{}
	for _, name := range names {
		n := split(name)
		if groups[n.prefix] == nil {
			order = append(order, n.prefix)
		}
		groups[n.prefix] = append(groups[n.prefix], n)
	}
	var out []string
	for _, prefix := range order {
		out = append(out, groupText(prefix, groups[prefix])...)
	}
	return strings.Join(out, ",")
}

// split takes the number off the end of a name. A name without one has width 0.
func split(name string) numbered {
	at := len(name)
	for at > 0 && len(name)-at < maxDigits && '0' <= name[at-1] && name[at-1] <= '9' {
		at--
	}
	if at == len(name) {
		return numbered{prefix: name}
	}
	number, _ := strconv.Atoi(name[at:]) // nine digits
	return numbered{name[:at], number, len(name) - at}
}

// groupText writes the names of one prefix: the one without a number apart.
func groupText(prefix string, list []numbered) (out []string) {
	if list[0].width == 0 {
		out = append(out, prefix)
		list = list[1:]
	}
	var ranges []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && follows(list[i], list[j], list[j+1]) {
			j++
		}
		text := digits(list[i])
		if j > i {
			text += "-" + digits(list[j])
		}
		ranges = append(ranges, text)
		i = j + 1
	}
	switch {
	case len(ranges) == 0:
	case len(list) == 1:
		out = append(out, prefix+ranges[0])
	default:
		out = append(out, prefix+"["+strings.Join(ranges, ",")+"]")
	}
	return out
}

// follows reports whether next can end the range from first to last: ranges are
// expanded with as many digits as their first number has.
func follows(first, last, next numbered) bool {
	if next.number != last.number+1 {
		return false
	}
	return next.width == max(first.width, len(strconv.Itoa(next.number)))
}

func digits(n numbered) string {
	text := strconv.Itoa(n.number)
	return strings.Repeat("0", n.width-len(text)) + text
}
