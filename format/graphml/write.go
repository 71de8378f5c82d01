// Package graphml writes a fabric as GraphML, which yEd, Gephi, igraph, NetworkX and
// others read: a node for each node of the fabric, an edge for each link.
package graphml

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/internal/elements"
)

// Options tells what is known beside the fabric. The zero value is fine.
type Options = elements.Options

// Write writes f. The output streams and is in canonical order.
func Write(out io.Writer, f *fabric.Fabric, o *Options) error {
	if o == nil {
		o = &Options{}
	}
	w := &writer{w: bufio.NewWriterSize(out, 1<<16)}
	w.printf("%s<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n", xml.Header)
	w.keys("node", elements.NodeKeys())
	w.keys("edge", elements.EdgeKeys())
	w.printf("  <graph id=\"fabric\" edgedefault=\"undirected\">\n")
	for n := range f.Nodes() {
		w.printf("    <node id=\"%s\">\n", text(elements.ID(f, n)))
		w.data("node", elements.Node(n, o))
		w.printf("    </node>\n")
	}
	i := 0
	for l := range f.Links() {
		w.printf("    <edge id=\"e%d\" source=\"%s\" target=\"%s\">\n", i, text(elements.ID(f, l.A.Node())), text(elements.ID(f, l.B.Node())))
		w.data("edge", elements.Edge(l))
		w.printf("    </edge>\n")
		i++
	}
	w.printf("  </graph>\n</graphml>\n")
	return w.w.Flush()
}

// writer writes to w; a write error stays with the bufio.Writer until its Flush.
type writer struct{ w *bufio.Writer }

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(w.w, format, args...) }

func (w *writer) keys(of string, keys []elements.Key) {
	for _, k := range keys {
		w.printf("  <key id=\"%s_%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n", of, k.Name, of, k.Name, k.Kind)
	}
}

func (w *writer) data(of string, attributes []elements.Attribute) {
	for _, a := range attributes {
		w.printf("      <data key=\"%s_%s\">%s</data>\n", of, a.Name, text(fmt.Sprint(a.Value)))
	}
}

// text is text for an element or an attribute of XML.
func text(s string) string {
	var b bytes.Buffer
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		return "" // a buffer does not fail
	}
	return b.String()
}
