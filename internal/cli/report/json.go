package report

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ibscope/ibscope/internal/escape"
)

// jsonVersion is that of the schemas of all reports; docs/json.md describes them.
const jsonVersion = 1

// writeJSON writes the document. Rows and problems have a line each.
func writeJSON(out io.Writer, v *view) error {
	w := &jsonWriter{w: bufio.NewWriter(out)}
	w.w.WriteString("{\n")
	w.member("schema", "ibscope."+v.Name)
	w.member("version", jsonVersion)
	w.member("source", v.Source)
	if !v.Started.IsZero() {
		w.member("started", v.Started.UTC().Format(time.RFC3339Nano))
	}
	w.member("complete", v.IsComplete())
	if v.Verdict != "" {
		w.member("verdict", v.Verdict)
	}
	w.counts(v.Counts)
	w.rows(&v.Table, joined(v.Table.Columns, v.chosen))
	for i := range v.Details {
		w.rows(&v.Details[i], nil)
	}
	w.list("problems", len(v.Problems), func(i int) []byte { return w.value(&v.Problems[i]) })
	w.w.WriteString("\n}\n")
	if w.err != nil {
		return w.err
	}
	return w.w.Flush()
}

type jsonWriter struct {
	w     *bufio.Writer
	begun bool
	err   error
}

// value is a value as JSON that is safe on a terminal.
func (w *jsonWriter) value(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil && w.err == nil {
		w.err = err
	}
	return escape.JSON(bytes.TrimRight(b.Bytes(), "\n"))
}

// key begins a member of the document.
func (w *jsonWriter) key(name string) {
	if w.begun {
		w.w.WriteString(",\n")
	}
	w.begun = true
	w.w.WriteString("  " + strconv.Quote(name) + ": ")
}

func (w *jsonWriter) member(name string, v any) {
	w.key(name)
	w.w.Write(w.value(v))
}

func (w *jsonWriter) counts(counts []Count) {
	w.key("counts")
	w.w.WriteString("{")
	for i, c := range counts {
		if i > 0 {
			w.w.WriteString(", ")
		}
		w.w.WriteString(strconv.Quote(c.Name) + ": " + strconv.Itoa(c.N))
	}
	w.w.WriteString("}")
}

// list is an array with a line for each element.
func (w *jsonWriter) list(name string, n int, element func(i int) []byte) {
	w.key(name)
	w.w.WriteString("[")
	for i := range n {
		if i > 0 {
			w.w.WriteString(",")
		}
		w.w.WriteString("\n    ")
		w.w.Write(element(i))
	}
	if n > 0 {
		w.w.WriteString("\n  ")
	}
	w.w.WriteString("]")
}

// rows are the rows of a table with the chosen columns, nil for all.
func (w *jsonWriter) rows(t *Table, chosen []int) {
	if chosen == nil {
		for i := range t.Columns {
			chosen = append(chosen, i)
		}
	}
	w.list(t.Name, len(t.Rows), func(i int) []byte { return w.row(t, chosen, t.Rows[i]) })
}

// joined is a choice of columns in which those of one object are neighbours.
func joined(columns []Column, chosen []int) []int {
	rank := map[string]int{}
	groupOf := func(c int) string {
		if of, _, found := strings.Cut(columns[c].Name, "."); found {
			return of
		}
		return columns[c].Name
	}
	for i, c := range chosen {
		if _, ok := rank[groupOf(c)]; !ok {
			rank[groupOf(c)] = i
		}
	}
	list := slices.Clone(chosen)
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(rank[groupOf(a)], rank[groupOf(b)]) })
	return list
}

// row is an object, with objects in it for columns that have a name of two parts.
func (w *jsonWriter) row(t *Table, chosen []int, row []Cell) []byte {
	b := []byte{'{'}
	group := ""
	for _, c := range chosen {
		if row[c].value == nil {
			continue
		}
		of, name, found := strings.Cut(t.Columns[c].Name, ".")
		if !found {
			of, name = "", of
		}
		if of != group && group != "" {
			b = append(b, '}')
		}
		if last := b[len(b)-1]; last != '{' {
			b = append(b, ',')
		}
		if of != group && of != "" {
			b = append(strconv.AppendQuote(b, of), ':', '{')
		}
		group = of
		b = append(strconv.AppendQuote(b, name), ':')
		b = append(b, w.value(row[c].value)...)
	}
	if group != "" {
		b = append(b, '}')
	}
	return append(b, '}')
}
