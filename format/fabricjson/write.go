package fabricjson

import (
	"bufio"
	"io"

	"github.com/ibscope/ibscope/fabric"
)

// Options tells how to write. The zero value is fine.
type Options struct {
	// Name gives a node a name of its own, as a node name map does; false for
	// none. It is written beside the description.
	Name func(*fabric.Node) (string, bool)
}

// writer writes one object after the other to w, each encoded in one buffer.
type writer struct {
	encoder
	w    *bufio.Writer
	name func(*fabric.Node) (string, bool)
}

func newWriter(w io.Writer, o *Options) *writer {
	out := &writer{w: bufio.NewWriterSize(w, 1<<16), name: func(*fabric.Node) (string, bool) { return "", false }}
	if o != nil && o.Name != nil {
		out.name = o.Name
	}
	return out
}

// flush hands the encoded object to the buffered output. A write error stays
// with the bufio.Writer until its Flush.
func (w *writer) flush() {
	w.w.Write(w.b)
	w.b = w.b[:0]
}

// Write writes f as one JSON document. Each node, link and problem has a line.
func Write(out io.Writer, f *fabric.Fabric, o *Options) error {
	w := newWriter(out, o)
	w.open('{')
	w.header(f)
	w.sweep(f)
	w.array("nodes", func(item func(func())) {
		for n := range f.Nodes() {
			item(func() { w.node(n) })
		}
	})
	w.array("links", func(item func(func())) {
		for l := range f.Links() {
			item(func() { w.link(l) })
		}
	})
	w.array("problems", func(item func(func())) {
		for _, p := range f.Problems() {
			item(func() { w.problem(p) })
		}
	})
	w.b = append(w.b, "\n}\n"...)
	w.flush()
	return w.w.Flush()
}

// array writes a named array with one object per line.
func (w *writer) array(name string, each func(item func(fields func()))) {
	w.b = append(w.b, ",\n\""+name+"\":["...)
	separator := "\n{"
	each(func(fields func()) {
		w.b = append(w.b, separator...)
		separator = ",\n{"
		fields()
		w.close('}')
		w.flush()
	})
	w.b = append(w.b, ']')
	w.flush()
}

// WriteLines writes f as NDJSON: a "fabric" record, then "node", "link" and
// "problem" records, and an "end" record without which the output is cut off.
func WriteLines(out io.Writer, f *fabric.Fabric, o *Options) error {
	w := newWriter(out, o)
	record := func(kind string, fields func()) {
		w.open('{')
		w.text("record", kind)
		fields()
		w.b = append(w.b, "}\n"...)
		w.flush()
	}
	record("fabric", func() { w.header(f) })
	for n := range f.Nodes() {
		record("node", func() { w.node(n) })
	}
	for l := range f.Links() {
		record("link", func() { w.link(l) })
	}
	for _, p := range f.Problems() {
		record("problem", func() { w.problem(p) })
	}
	record("end", func() { w.sweep(f) })
	return w.w.Flush()
}
