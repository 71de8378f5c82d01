package fabricdiff

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/diff"
)

// Write writes one line for each difference, and a last one with their number. The
// lines name both ends of links; text from the fabric is quoted.
func Write(out io.Writer, r *Report) error {
	w := bufio.NewWriter(out)
	for i := range r.Changes {
		fmt.Fprintf(w, "%s\n", r.Line(&r.Changes[i]))
	}
	fmt.Fprintln(w, r.Summary())
	return w.Flush()
}

// Summary says how many differences there are, or of how much there are none.
func (r *Report) Summary() string {
	switch n := len(r.Changes); n {
	case 0:
		return fmt.Sprintf("no differences: %d nodes, %d links", r.A.Fabric.NumNodes(), numLinks(r.A.Fabric))
	case 1:
		return "1 difference"
	default:
		return fmt.Sprintf("%d differences", n)
	}
}

// Line is a difference in one line that names both ends. Text from the fabric is
// quoted.
func (r *Report) Line(c *diff.Change) string {
	switch c.Op {
	case diff.OnlyA:
		return fmt.Sprintf("%s: only in %s", r.place(c.Subject, c.A), r.A.Name)
	case diff.OnlyB:
		return fmt.Sprintf("%s: only in %s", r.place(c.Subject, c.B), r.B.Name)
	case diff.Moved:
		return fmt.Sprintf("link of %s: to %s in %s, to %s in %s",
			r.port(c.A.Port), r.port(c.A.Peer), r.A.Name, r.port(c.B.Peer), r.B.Name)
	case diff.Replaced:
		return fmt.Sprintf("node in one place: %s in %s, %s in %s", r.node(c.A.Node), r.A.Name, r.node(c.B.Node), r.B.Name)
	}
	before, now := c.Old, c.New
	if c.Field == diff.Description {
		before, now = strconv.Quote(before), strconv.Quote(now)
	}
	return fmt.Sprintf("%s: %s %s in %s, %s in %s", r.place(c.Subject, c.A), c.Field, before, r.A.Name, now, r.B.Name)
}

// place names a node, a port with its peer, or a link with both ends.
func (r *Report) place(s diff.Subject, p diff.Place) string {
	switch {
	case s == diff.Node:
		return "node " + r.node(p.Node)
	case s == diff.Link:
		return "link " + r.port(p.Port) + " to " + r.port(p.Peer)
	case p.Peer != nil:
		return "port " + r.port(p.Port) + " (linked to " + r.port(p.Peer) + ")"
	}
	return "port " + r.port(p.Port)
}

func (r *Report) port(p *fabric.Port) string {
	return r.node(p.Node()) + " port " + strconv.Itoa(p.Num())
}

func (r *Report) node(n *fabric.Node) string {
	return n.GUID().String() + " " + strconv.Quote(r.Label(n))
}

// Label is what a node is called: its name, or its description. It is not escaped.
func (r *Report) Label(n *fabric.Node) string {
	if name := r.name(n); name != "" {
		return name
	}
	return n.Description()
}

func numLinks(f *fabric.Fabric) int {
	n := 0
	for range f.Links() {
		n++
	}
	return n
}
