package hostfs

import (
	"regexp"
	"slices"
	"sync"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// described is how hosts describe their adapters: name of the host, name or
// number of the adapter.
var described = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(.*\S) +(HCA-\d+|[a-z][a-z0-9]*_\d+)$`)
})

// splitDescription takes a NodeDescription apart; ok is false when it does not
// name a host and an adapter.
func splitDescription(text string) (host, adapter string, ok bool) {
	m := described().FindStringSubmatch(text)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// Siblings lists the adapters that are in one machine with a node: those that
// have its system image GUID, or a description that names the same host. The
// node itself comes first, then the others in the order of their descriptions.
// Programs that are told no adapter take the first by name, mlx5_10 before
// mlx5_4, as on a real machine: that may be another one. Of a switch or router it
// is the node alone.
func Siblings(f *fabric.Fabric, at *fabric.Node) []*fabric.Node {
	if at.Type() != ib.NodeCA {
		return []*fabric.Node{at}
	}
	image := at.Info().SystemImageGUID
	host, _, named := splitDescription(at.Description())
	list := []*fabric.Node{at}
	for n := range f.CAs() {
		if n == at {
			continue
		}
		other, _, ok := splitDescription(n.Description())
		sameImage := image != 0 && n.Info().SystemImageGUID == image
		if sameImage || named && ok && other == host {
			list = append(list, n)
		}
	}
	slices.SortStableFunc(list[1:], func(a, b *fabric.Node) int { return compareNatural(a.Description(), b.Description()) })
	return list
}

// compareNatural orders texts so that numbers in them count as numbers.
func compareNatural(a, b string) int {
	for a != "" && b != "" {
		na, nb := digits(a), digits(b)
		if na == 0 || nb == 0 {
			if a[0] != b[0] {
				return int(a[0]) - int(b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		if c := compareNumbers(a[:na], b[:nb]); c != 0 {
			return c
		}
		a, b = a[na:], b[nb:]
	}
	return len(a) - len(b)
}

func compareNumbers(a, b string) int {
	for len(a) > 1 && a[0] == '0' {
		a = a[1:]
	}
	for len(b) > 1 && b[0] == '0' {
		b = b[1:]
	}
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	for i := range a {
		if a[i] != b[i] {
			return int(a[i]) - int(b[i])
		}
	}
	return 0
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
