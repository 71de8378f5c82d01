package anonymize

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/ib"
)

// names replaces names. Names that differ in numbers only become names that do so:
// node-001 and node-007 host-1 and host-2, in the same order.
type names struct {
	hideVendors bool
	groups      map[string]*group // by skeleton
	order       []*group
}

// group are the names of one skeleton.
type group struct {
	typ    ib.NodeType // of the first node that had one
	word   string
	fields []map[string]int // of each number: what takes its place, 0 for nothing
}

func (v *names) init(o Options) { *v = names{hideVendors: o.HideVendors, groups: map[string]*group{}} }

func (v *names) learn(t ib.NodeType, description string) {
	name := shapeOf(description, v.hideVendors).name
	if name == "" {
		return
	}
	text, numbers := skeleton(name)
	g := v.groups[text]
	if g == nil {
		g = &group{typ: t, fields: make([]map[string]int, len(numbers))}
		for i := range g.fields {
			g.fields[i] = map[string]int{}
		}
		v.groups[text] = g
		v.order = append(v.order, g)
	}
	for i, n := range numbers {
		g.fields[i][n] = 0
	}
}

// assign gives the groups words and numbers.
func (v *names) assign() {
	count := map[string]int{}
	for _, g := range v.order {
		word := "host"
		switch g.typ {
		case ib.NodeSwitch:
			word = "switch"
		case ib.NodeRouter:
			word = "router"
		}
		count[word]++
		g.word = word + letters(count[word]-1)
		for _, field := range g.fields {
			rank(field)
		}
	}
}

// letters are "", "b", "c" … "z", "ba" … for 0, 1, 2 …
func letters(i int) string {
	if i == 0 {
		return ""
	}
	var b []byte
	for ; i > 0; i /= 26 {
		b = append(b, byte('a'+i%26))
	}
	slices.Reverse(b)
	return string(b)
}

// rank numbers the numbers of a field from 1; a field that is always the same
// says nothing.
func rank(field map[string]int) {
	if len(field) < 2 {
		return
	}
	list := make([]string, 0, len(field))
	for n := range field {
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b string) int {
		x, y := strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y), cmp.Compare(len(a), len(b)))
	})
	for i, n := range list {
		field[n] = i + 1
	}
}

// Description is what takes the place of a node description that is in one of the
// fabrics: another name, between what the maker wrote. A name that is in none of
// them becomes "unknown".
func (m *Mapping) Description(description string) string {
	s := shapeOf(description, m.opts.HideVendors)
	if s.name == "" {
		return s.before + s.after
	}
	text, numbers := skeleton(s.name)
	g := m.names.groups[text]
	if g == nil {
		return s.before + "unknown" + s.after
	}
	name := g.word
	for i, n := range numbers {
		if r := g.fields[i][n]; r > 0 {
			name += "-" + strconv.Itoa(r)
		}
	}
	return s.before + name + s.after
}
