package devices

import (
	"bufio"
	"io"
	"strings"
	"unicode/utf8"
)

// gap parts two columns.
const gap = "  "

// table is the text of all cells, with the columns that are shown.
type table struct {
	columns []column
	rows    []row
	cells   [][]string // by row and column
	widths  []int
}

// rows are the lines of the table.
func (v *view) rows() []row {
	var all []row
	for _, d := range v.devices {
		if len(d.Ports) == 0 {
			all = append(all, row{device: d})
		}
		for _, p := range d.Ports {
			all = append(all, row{d, p})
		}
	}
	return all
}

// newTable fills a table; columns without any value are left out.
func newTable(rows []row) *table {
	t := &table{rows: rows, cells: make([][]string, len(rows))}
	for _, c := range columns {
		cells := make([]string, len(rows))
		width, used := utf8.RuneCountInString(c.title), false
		for i, r := range rows {
			cells[i] = c.cell(r)
			width = max(width, utf8.RuneCountInString(cells[i]))
			used = used || cells[i] != "-"
		}
		if !used {
			continue
		}
		t.columns, t.widths = append(t.columns, c), append(t.widths, width)
		for i := range rows {
			t.cells[i] = append(t.cells[i], cells[i])
		}
	}
	return t
}

// fitting is how many columns stand side by side on a line of that width, 0 for
// any; at least the first three do.
func (t *table) fitting(width int) int {
	used := 0
	for i, w := range t.widths {
		used += w
		if width > 0 && used > width && i >= 3 {
			return i
		}
		used += len(gap)
	}
	return len(t.widths)
}

// print prints the devices, and the counters when they were read.
func (v *view) print(w io.Writer, width int, colour bool) error {
	b := bufio.NewWriter(w)
	if rows := v.rows(); len(rows) > 0 {
		newTable(rows).print(b, width, colour)
		v.printCounters(b, colour)
	}
	return b.Flush()
}

func (t *table) print(w *bufio.Writer, width int, colour bool) {
	n := t.fitting(width)
	var line strings.Builder
	for i := range n {
		line.WriteString(pad(t.columns[i].title, t.widths[i]) + gap)
	}
	w.WriteString(paint(strings.TrimRight(line.String(), " "), bold, colour) + "\n")
	for i, cells := range t.cells {
		end := n
		for end > 0 && cells[end-1] == "-" && n < len(cells) {
			end-- // an empty tail says nothing where more follows below
		}
		for j := range end {
			text := cells[j]
			if attribute := t.columns[j].attribute(t.rows[i]); attribute != "" {
				text = paint(text, attribute, colour)
			}
			w.WriteString(text)
			if j+1 < end {
				w.WriteString(strings.Repeat(" ", t.widths[j]-utf8.RuneCountInString(cells[j])) + gap)
			}
		}
		w.WriteString("\n")
		t.printRest(w, cells, n, width)
	}
}

// printRest prints the columns from n on, with their titles, below the line.
func (t *table) printRest(w *bufio.Writer, cells []string, n, width int) {
	const indent = "    "
	line := ""
	for j := n; j < len(cells); j++ {
		if cells[j] == "-" {
			continue
		}
		item := strings.ToLower(t.columns[j].title) + " " + cells[j]
		if line != "" && utf8.RuneCountInString(indent+line+gap+item) > width {
			w.WriteString(indent + line + "\n")
			line = ""
		}
		if line != "" {
			line += gap
		}
		line += item
	}
	if line != "" {
		w.WriteString(indent + line + "\n")
	}
}

func (c *column) attribute(r row) string {
	if c.colour == nil {
		return ""
	}
	return c.colour(r)
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-utf8.RuneCountInString(text), 0))
}

func paint(text, attribute string, colour bool) string {
	if !colour {
		return text
	}
	return "\x1b[" + attribute + "m" + text + "\x1b[0m"
}
