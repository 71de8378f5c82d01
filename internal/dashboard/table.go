package dashboard

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"
)

// table is what a table panel shows.
type table struct {
	names []string
	rows  [][]cell
}

// cell is a text or a number; the zero cell is empty.
type cell struct {
	text   string
	number float64
	isNum  bool
}

// tableOf makes a table of instant answers: a column for each label, one for the values of
// each query, changed as the panel's transformations say.
func tableOf(p *Panel, series []Series) *table {
	t := &table{}
	value := func(ref string) string {
		if len(p.Targets) > 1 {
			return "Value #" + ref
		}
		return "Value"
	}
	for _, s := range series {
		var labels []string
		for l := range s.Labels {
			labels = append(labels, l)
		}
		sort.Strings(labels)
		for _, l := range labels {
			t.column(l)
		}
	}
	for i := range p.Targets {
		t.column(value(p.Targets[i].RefID))
	}
	at := map[string]int{}
	for _, s := range series {
		key := keyOf(s.Labels)
		row, ok := at[key]
		if !ok {
			row = len(t.rows)
			at[key] = row
			t.rows = append(t.rows, make([]cell, len(t.names)))
			for l, v := range s.Labels {
				t.rows[row][t.column(l)] = cell{text: v}
			}
		}
		t.rows[row][t.column(value(s.Ref))] = cell{number: s.last(), isNum: true}
	}
	for _, tr := range p.Transformations {
		if tr.ID == "organize" {
			t.organize(&tr)
		}
	}
	t.sort(p.Options.SortBy)
	hidden := &Transformation{}
	hidden.Options.ExcludeByName = map[string]bool{}
	for _, name := range t.names {
		hidden.Options.ExcludeByName[name] = p.field(name).Custom.Hidden
	}
	t.organize(hidden)
	return t
}

// keyOf are the labels in which the rows of several queries agree.
func keyOf(labels map[string]string) string {
	var list []string
	for l, v := range labels {
		if l != "__name__" {
			list = append(list, l+"\x00"+v)
		}
	}
	sort.Strings(list)
	return strings.Join(list, "\x01")
}

// column is the number of a column, which is made if there is none.
func (t *table) column(name string) int {
	if i := slices.Index(t.names, name); i >= 0 {
		return i
	}
	t.names = append(t.names, name)
	return len(t.names) - 1
}

// organize leaves columns out, puts them in order and renames them.
func (t *table) organize(tr *Transformation) {
	var order []int
	for i, n := range t.names {
		if !tr.Options.ExcludeByName[n] {
			order = append(order, i)
		}
	}
	place := func(i int) int {
		if at, ok := tr.Options.IndexByName[t.names[i]]; ok {
			return at
		}
		return math.MaxInt
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(place(a), place(b)) })
	names := make([]string, len(order))
	for to, from := range order {
		names[to] = t.names[from]
		if n := tr.Options.RenameByName[names[to]]; n != "" {
			names[to] = n
		}
	}
	for r, row := range t.rows {
		now := make([]cell, len(order))
		for to, from := range order {
			now[to] = row[from]
		}
		t.rows[r] = now
	}
	t.names = names
}

func (t *table) sort(by []Sort) {
	for _, s := range slices.Backward(by) {
		c := slices.Index(t.names, s.DisplayName)
		if c < 0 {
			continue
		}
		slices.SortStableFunc(t.rows, func(a, b []cell) int {
			n := cmp.Or(cmp.Compare(a[c].number, b[c].number), cmp.Compare(a[c].text, b[c].text))
			if s.Desc {
				return -n
			}
			return n
		})
	}
}
