// Package dot writes a fabric as an undirected Graphviz graph: a box for each
// switch, an ellipse for each CA, a hexagon for each router, an edge for each
// link with the port numbers at its ends. Links that run below what both ends
// support are red.
package dot

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/escape"
)

// Options tells how to write. The zero value is fine.
type Options struct {
	// Name gives a node a name of its own, as a node name map does; false for
	// none. Without it nodes are labelled with their description.
	Name func(*fabric.Node) (string, bool)

	// Topology, of the fabric that is written, adds roles, tiers and the other
	// attributes that package graphml writes, and draws each tier in a row.
	Topology *topology.Topology
}

func (o *Options) orDefault() *Options {
	if o == nil {
		return &Options{}
	}
	return o
}

var shapes = map[ib.NodeType]string{ib.NodeSwitch: "box", ib.NodeRouter: "hexagon"}

// Write writes f. The output streams and is in canonical order.
func Write(out io.Writer, f *fabric.Fabric, o *Options) error {
	o = o.orDefault()
	w := bufio.NewWriterSize(out, 1<<16)
	fmt.Fprintf(w, "graph fabric {\n  rankdir=BT;\n  node [shape=ellipse, fontsize=10];\n  edge [fontsize=8];\n")
	for n := range f.Nodes() {
		shape := ""
		if s, ok := shapes[n.Type()]; ok {
			shape = ", shape=" + s
		}
		fmt.Fprintf(w, "  %s [label=%s%s%s];\n", id(f, n), quote(label(n, o)), shape, nodeAttributes(n, o))
	}
	if o.Topology != nil {
		ranks(w, f, o.Topology)
	}
	for l := range f.Links() {
		colour := ""
		if l.IsDegraded() {
			colour = ", color=red"
		}
		fmt.Fprintf(w, "  %s -- %s [taillabel=\"%d\", headlabel=\"%d\", label=%s%s%s];\n",
			id(f, l.A.Node()), id(f, l.B.Node()), l.A.Num(), l.B.Num(), quote(rate(l)), colour, edgeAttributes(l, o))
	}
	fmt.Fprintln(w, "}")
	return w.Flush()
}

// rate is "4xEDR", empty when it is not known.
func rate(l fabric.Link) string {
	if active := l.A.Active(); active.Width != 0 || active.Speed != 0 {
		return active.String()
	}
	return ""
}

// id is the graph's name for a node: its GUID, told apart where two nodes have
// the same one.
func id(f *fabric.Fabric, n *fabric.Node) string {
	if first, ok := f.NodeByGUID(n.GUID()); ok && first != n {
		return fmt.Sprintf("\"%s/%d\"", n.GUID(), n.Index())
	}
	return "\"" + n.GUID().String() + "\""
}

func label(n *fabric.Node, o *Options) string {
	if o.Name != nil {
		if name, ok := o.Name(n); ok {
			return name
		}
	}
	if d := n.Description(); d != "" {
		return d
	}
	return n.GUID().String()
}

var quoting = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// quote is the one place that turns text into a DOT string. Backslashes are
// doubled, for labels give \N, \G or \l a meaning.
func quote(text string) string { return `"` + quoting.Replace(escape.Text(text)) + `"` }
