package report

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"time"

	"github.com/ibscope/ibscope/internal/columns"
	"github.com/ibscope/ibscope/internal/escape"
)

// The page loads nothing. Its policy lets the one script run that sorts columns, by
// its hash; where a server forbids even that, the table is still a table.
var (
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string
)

// writeHTML writes a page that stands for itself.
func writeHTML(out io.Writer, v *view) error {
	w := bufio.NewWriter(out)
	sum := sha256.Sum256([]byte(pageScript))
	title := htmlText(v.Title)
	fmt.Fprintf(w, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-%s'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<style>
%s</style>
</head>
<body>
<h1>%s</h1>
`, base64.StdEncoding.EncodeToString(sum[:]), title, pageStyle, title)
	htmlOrigin(w, v)
	if len(v.Table.Rows) > 0 {
		htmlTable(w, v)
	}
	for i := range v.Details {
		htmlDetails(w, &v.Details[i])
	}
	htmlProblems(w, v.Problems)
	fmt.Fprintf(w, "<script>%s</script>\n</body>\n</html>\n", pageScript)
	return w.Flush()
}

func htmlText(s string) string { return html.EscapeString(escape.Text(s)) }

func htmlOrigin(w *bufio.Writer, v *view) {
	w.WriteString("<p>" + htmlText(v.Source))
	if !v.Started.IsZero() {
		fmt.Fprintf(w, ", %s", v.Started.UTC().Format(time.RFC3339))
	}
	w.WriteString("</p>\n<p>" + htmlText(v.Summary) + "</p>\n")
}

func htmlTable(w *bufio.Writer, v *view) {
	w.WriteString("<table>\n<thead><tr>")
	for _, c := range v.chosen {
		col := &v.Table.Columns[c]
		w.WriteString(`<th scope="col" title="` + htmlText(col.Help) + `">` + htmlText(col.Title))
		if col.Unit != "" {
			w.WriteString(" <small>" + htmlText(col.Unit) + "</small>")
		}
		w.WriteString("</th>")
	}
	w.WriteString("</tr></thead>\n<tbody>\n")
	for _, row := range v.Table.Rows {
		w.WriteString("<tr>")
		for _, c := range v.chosen {
			htmlCell(w, &row[c], v.Table.Columns[c].Right)
		}
		w.WriteString("</tr>\n")
	}
	w.WriteString("</tbody>\n</table>\n")
}

// longText is the width from which on a text may be broken into lines.
const longText = 60

var markClasses = [...]string{Plain: "", Good: "good", Warning: "warning", Bad: "bad"}

func htmlCell(w *bufio.Writer, c *Cell, right bool) {
	class := markClasses[c.mark]
	if columns.Width(c.text) > longText {
		class = joinWords("long", class)
	}
	if right {
		class = joinWords("number", class)
	}
	w.WriteString("<td")
	if class != "" {
		w.WriteString(` class="` + class + `"`)
	}
	if c.kind == numeric {
		w.WriteString(` data-value="` + c.plain() + `"`)
	}
	w.WriteString(">" + htmlText(c.text) + "</td>")
}

func joinWords(a, b string) string {
	if b == "" {
		return a
	}
	return a + " " + b
}

func htmlDetails(w *bufio.Writer, t *Table) {
	if len(t.Rows) == 0 || t.Hidden {
		return
	}
	w.WriteString("<h2>" + htmlText(t.Title) + "</h2>\n<dl>\n")
	for _, row := range t.Rows {
		w.WriteString("<dt>" + htmlText(row[0].text) + "</dt>\n")
		for i := 1; i < len(row); i++ {
			if row[i].text != "" && !t.Columns[i].Hidden {
				w.WriteString("<dd><b>" + htmlText(t.Columns[i].Title) + ":</b> " + htmlText(row[i].text) + "</dd>\n")
			}
		}
	}
	w.WriteString("</dl>\n")
}

func htmlProblems(w *bufio.Writer, problems []Problem) {
	if len(problems) == 0 {
		return
	}
	w.WriteString("<h2>Problems</h2>\n<ul>\n")
	for i := range problems {
		w.WriteString("<li>" + htmlText(problems[i].Message) + "</li>\n")
	}
	w.WriteString("</ul>\n")
}
