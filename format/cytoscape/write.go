// Package cytoscape writes a fabric as JSON for Cytoscape and Cytoscape.js.
package cytoscape

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/internal/elements"
	"github.com/ibscope/ibscope/internal/escape"
)

// Options tells what is known beside the fabric. The zero value is fine.
type Options = elements.Options

// Write writes f, an element a line. The output streams and is in canonical order.
func Write(out io.Writer, f *fabric.Fabric, o *Options) error {
	if o == nil {
		o = &Options{}
	}
	w := &writer{w: bufio.NewWriterSize(out, 1<<16)}
	_, _ = w.w.WriteString("{\"format_version\":\"1.0\",\"generated_by\":\"ibscope\",\"data\":{\"name\":\"fabric\"},\n\"elements\":{\"nodes\":[")
	w.first = true
	for n := range f.Nodes() {
		w.element([]elements.Attribute{{Name: "id", Value: elements.ID(f, n)}}, elements.Node(n, o))
	}
	_, _ = w.w.WriteString("],\n\"edges\":[")
	w.first = true
	i := 0
	for l := range f.Links() {
		w.element([]elements.Attribute{
			{Name: "id", Value: fmt.Sprintf("e%d", i)},
			{Name: "source", Value: elements.ID(f, l.A.Node())},
			{Name: "target", Value: elements.ID(f, l.B.Node())},
		}, elements.Edge(l))
		i++
	}
	_, _ = w.w.WriteString("]}}\n")
	if w.err != nil {
		return w.err
	}
	return w.w.Flush()
}

// writer writes elements with commas between them. The first error stays.
type writer struct {
	w     *bufio.Writer
	first bool
	err   error
}

func (w *writer) element(lists ...[]elements.Attribute) {
	if !w.first {
		_ = w.w.WriteByte(',')
	}
	w.first = false
	_, _ = w.w.WriteString("\n{\"data\":{")
	separator := ""
	for _, list := range lists {
		for _, a := range list {
			fmt.Fprintf(w.w, "%s\"%s\":", separator, a.Name)
			w.value(a.Value)
			separator = ","
		}
	}
	_, _ = w.w.WriteString("}}")
}

// value writes a value without characters that a terminal could act on.
func (w *writer) value(v any) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil && w.err == nil {
		w.err = err
	}
	_, _ = w.w.Write(escape.JSON(bytes.TrimSuffix(b.Bytes(), []byte("\n"))))
}
