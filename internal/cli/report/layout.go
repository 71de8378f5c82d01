package report

import (
	"slices"

	"github.com/ibscope/ibscope/internal/columns"
	"github.com/ibscope/ibscope/internal/escape"
)

// gap is the blanks between two columns.
const gap = 2

// layout is which columns of a table are printed, and how wide.
type layout struct {
	columns []int
	widths  []int
	dropped []int
	cut     bool // texts are
	units   bool // some column has one
}

// spare is the rank from which on columns go before a text is cut. Those of lower
// ranks go when there is no room even for cut texts.
const spare = 4

// layOut finds a layout for a view. Where the terminal is too narrow, columns go by
// their rank until what is left fits, with the texts of others cut if need be.
// Columns that were asked for by name stay as they are.
func layOut(v *view) *layout {
	l := &layout{columns: slices.Clone(v.chosen)}
	natural := make(map[int]int, len(v.chosen))
	for _, c := range v.chosen {
		natural[c] = naturalWidth(v, c)
	}
	if v.width > 0 && !v.fixed {
		l.drop(v, spare, func(c int) int { return natural[c] })
		l.drop(v, 1, func(c int) int { return leastWidth(&v.Table.Columns[c], natural[c]) })
	}
	for _, c := range l.columns {
		l.widths = append(l.widths, natural[c])
		l.units = l.units || v.Table.Columns[c].Unit != ""
	}
	if v.width > 0 && !v.fixed {
		l.shrink(v)
	}
	return l
}

// naturalWidth is that of the longest text of a column.
func naturalWidth(v *view, c int) int {
	col := &v.Table.Columns[c]
	n := max(columns.Width(col.Title), columns.Width(col.Unit))
	for _, row := range v.Table.Rows {
		n = max(n, columns.Width(escape.Text(row[c].text)))
	}
	return n
}

// drop takes columns away, all of the highest rank together and none below a rank,
// until the others fit.
func (l *layout) drop(v *view, rank int, width func(c int) int) {
	for {
		total, highest := -gap, 0
		for _, c := range l.columns {
			total += gap + width(c)
			highest = max(highest, v.Table.Columns[c].Rank)
		}
		if total <= v.width || highest < rank {
			slices.Sort(l.dropped)
			return
		}
		l.columns = slices.DeleteFunc(l.columns, func(c int) bool {
			if v.Table.Columns[c].Rank != highest {
				return false
			}
			l.dropped = append(l.dropped, c)
			return true
		})
	}
}

func leastWidth(c *Column, natural int) int {
	if c.Min == 0 {
		return natural
	}
	return min(natural, max(c.Min, columns.Width(c.Title)))
}

// shrink cuts the widest texts, one character after the other, until all fit.
func (l *layout) shrink(v *view) {
	over := -gap - v.width
	for _, w := range l.widths {
		over += gap + w
	}
	for ; over > 0; over-- {
		widest := -1
		for i, c := range l.columns {
			if l.widths[i] > leastWidth(&v.Table.Columns[c], l.widths[i]) && (widest < 0 || l.widths[i] > l.widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		l.widths[widest]--
		l.cut = true
	}
}
