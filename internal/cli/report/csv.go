package report

import (
	"encoding/csv"
	"io"
	"strings"

	"github.com/ibscope/ibscope/internal/escape"
)

// writeCSV writes the table as RFC 4180 has it: a line of names, quotes where they
// are needed. Lines end as the tools of Unix want them, without CR.
func writeCSV(out io.Writer, v *view) error {
	w := csv.NewWriter(out)
	record := make([]string, len(v.chosen))
	if !v.noHeader {
		for i, c := range v.chosen {
			record[i] = v.Table.Columns[c].Name
		}
		if err := w.Write(record); err != nil {
			return err
		}
	}
	for _, row := range v.Table.Rows {
		for i, c := range v.chosen {
			record[i] = csvText(&row[c])
		}
		if err := w.Write(record); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// formulaStarts are the characters with which a spreadsheet takes a text for a
// formula, their full-width forms included.
const formulaStarts = "=+-@\t\r＝＋－＠"

// csvText is a cell in CSV. A text that a spreadsheet would compute has an
// apostrophe before it, which makes it a text there.
func csvText(c *Cell) string {
	text := escape.Text(c.plain())
	if c.kind == textual && text != "" && strings.ContainsRune(formulaStarts, []rune(text)[0]) {
		return "'" + text
	}
	return text
}
