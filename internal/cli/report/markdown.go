package report

import (
	"bufio"
	"io"
	"strings"

	"github.com/ibscope/ibscope/internal/escape"
)

// writeMarkdown writes a table of GitHub's Markdown, the summary below it, and
// details as lists.
func writeMarkdown(out io.Writer, v *view) error {
	w := bufio.NewWriter(out)
	if len(v.Table.Rows) > 0 {
		markdownTable(w, v)
	}
	for i := range v.Details {
		markdownDetails(w, &v.Details[i])
	}
	if v.Summary != "" {
		if len(v.Table.Rows) > 0 {
			w.WriteString("\n")
		}
		w.WriteString(markdownText(v.Summary) + "\n")
	}
	return w.Flush()
}

func markdownTable(w *bufio.Writer, v *view) {
	for _, c := range v.chosen {
		col := &v.Table.Columns[c]
		title := col.Title
		if col.Unit != "" {
			title += " (" + col.Unit + ")"
		}
		w.WriteString("| " + markdownText(title) + " ")
	}
	w.WriteString("|\n")
	for _, c := range v.chosen {
		if v.Table.Columns[c].Right {
			w.WriteString("|--:")
		} else {
			w.WriteString("|:--")
		}
	}
	w.WriteString("|\n")
	for _, row := range v.Table.Rows {
		for _, c := range v.chosen {
			w.WriteString("| " + markdownText(row[c].text) + " ")
		}
		w.WriteString("|\n")
	}
}

func markdownDetails(w *bufio.Writer, t *Table) {
	if len(t.Rows) == 0 || t.Hidden {
		return
	}
	w.WriteString("\n**" + markdownText(t.Title) + "**\n\n")
	for _, row := range t.Rows {
		w.WriteString("- **" + markdownText(row[0].text) + "**")
		for i := 1; i < len(row); i++ {
			if row[i].text != "" && !t.Columns[i].Hidden {
				w.WriteString(" " + markdownText(t.Columns[i].Title) + ": " + markdownText(row[i].text))
			}
		}
		w.WriteString("\n")
	}
}

// special are the characters that mean something in Markdown, or make HTML,
// mentions or links of their own.
const special = "\\`|*_{}[]<>#&~$@!"

// markdownText makes a text one that stands for itself in a cell.
func markdownText(s string) string {
	s = escape.Text(s)
	var b strings.Builder
	for i, r := range s {
		isLink := r == ':' && strings.HasPrefix(s[i:], "://") || r == '.' && strings.HasSuffix(strings.ToLower(s[:i]), "www")
		if isLink || strings.ContainsRune(special, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
