package report

import (
	"bufio"
	"io"
	"strings"

	"github.com/ibscope/ibscope/internal/columns"
	"github.com/ibscope/ibscope/internal/escape"
)

// ANSI attributes.
const bold = "1"

var markColours = [...]string{Plain: "", Good: "32", Warning: "33", Bad: "31"}

// tableWriter writes a table for people.
type tableWriter struct {
	*bufio.Writer
	*view
	*layout
}

// writeTable writes the table, its details, what was left out, and the summary.
func writeTable(out io.Writer, v *view) error {
	w := &tableWriter{bufio.NewWriter(out), v, layOut(v)}
	if len(v.Table.Rows) > 0 {
		w.header()
		for _, row := range v.Table.Rows {
			w.row(row)
		}
	}
	for i := range v.Details {
		w.blocks(&v.Details[i])
	}
	w.footer()
	return w.Flush()
}

func (w *tableWriter) paint(attribute, text string) string {
	if !w.colour || attribute == "" || text == "" {
		return text
	}
	return "\x1b[" + attribute + "m" + text + "\x1b[0m"
}

// header is the titles, and below them the units if there are any.
func (w *tableWriter) header() {
	if w.noHeader {
		return
	}
	w.titles(func(c *Column) string { return c.Title })
	if w.units {
		w.titles(func(c *Column) string { return c.Unit })
	}
}

func (w *tableWriter) titles(text func(*Column) string) {
	var b strings.Builder
	for i, c := range w.columns {
		col := &w.Table.Columns[c]
		if i > 0 {
			b.WriteString(strings.Repeat(" ", gap))
		}
		b.WriteString(columns.Pad(text(col), w.widths[i], col.Right))
	}
	w.WriteString(w.paint(bold, strings.TrimRight(b.String(), " ")) + "\n")
}

func (w *tableWriter) row(row []Cell) {
	var b strings.Builder
	blanks := 0
	for i, c := range w.columns {
		text := columns.Cut(escape.Text(row[c].text), w.widths[i])
		fill := w.widths[i] - columns.Width(text)
		if w.Table.Columns[c].Right {
			blanks += fill
			fill = 0
		}
		if text != "" { // blanks at the end of a line are left out
			b.WriteString(strings.Repeat(" ", blanks))
			b.WriteString(w.paint(markColours[row[c].mark], text))
			blanks = 0
		}
		blanks += fill + gap
	}
	w.WriteString(b.String() + "\n")
}

// blockIndent is that of the text below the title of a block.
const blockIndent = "  "

// blocks writes details: for each row the first cell as a title, and of the others
// the column's title and the text, wrapped.
func (w *tableWriter) blocks(t *Table) {
	if len(t.Rows) == 0 || t.Hidden {
		return
	}
	w.WriteString("\n" + w.paint(bold, t.Title) + "\n")
	for _, row := range t.Rows {
		w.WriteString(w.paint(bold, escape.Text(row[0].text)) + "\n")
		for i := 1; i < len(row); i++ {
			if row[i].text != "" && !t.Columns[i].Hidden {
				w.paragraph(t.Columns[i].Title+": ", escape.Text(row[i].text))
			}
		}
	}
}

// paragraphWidth is how long lines of text are where nothing limits them.
const paragraphWidth = 80

// paragraph writes a text with a word before it, below which it is aligned.
func (w *tableWriter) paragraph(label, text string) {
	width := paragraphWidth
	if w.width > 0 {
		width = min(w.width, 2*paragraphWidth)
	}
	indent := blockIndent + label
	for _, line := range columns.Wrap(text, max(width-len(indent), paragraphWidth/4)) {
		w.WriteString(indent + line + "\n")
		indent = strings.Repeat(" ", len(indent))
	}
}

// footer is the summary line, and what the terminal had no room for.
func (w *tableWriter) footer() {
	if w.Summary != "" {
		if len(w.Table.Rows) > 0 {
			w.WriteString("\n")
		}
		for _, line := range columns.Wrap(escape.Text(w.Summary), w.width) {
			w.WriteString(line + "\n")
		}
	}
	if note := w.missing(); note != "" && len(w.Table.Rows) > 0 {
		for _, line := range columns.Wrap(note, w.width) {
			w.WriteString(line + "\n")
		}
	}
}

// missing tells of what is not printed for lack of room.
func (w *tableWriter) missing() string {
	var names []string
	for _, c := range w.dropped {
		names = append(names, w.Table.Columns[c].Name)
	}
	switch {
	case len(names) > 0 && w.cut:
		return "No room for " + strings.Join(names, ", ") + ", and texts are cut: --columns chooses."
	case len(names) > 0:
		return "No room for " + strings.Join(names, ", ") + ": --columns chooses."
	case w.cut:
		return "Texts are cut: --columns all has them whole."
	}
	return ""
}
