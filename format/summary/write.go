package summary

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/internal/escape"
)

// Options tells how to write. The zero value is fine.
type Options struct {
	Colour bool // with ANSI colours
	Limit  int  // longest list of links or problems; 0 = 10

	// Name gives a node a name of its own, as a node name map does; false for
	// none. Without it nodes go by their description.
	Name func(*fabric.Node) (string, bool)

	// Topology, of the fabric that is written, adds how it is built.
	Topology *topology.Topology
}

const defaultLimit = 10

// lineWidth is that of a line which is not wide because of a name.
const lineWidth = 80

// writer writes to w; a write error stays with the bufio.Writer until its Flush.
type writer struct {
	w *bufio.Writer
	Options
}

// Write writes the summary of f.
func Write(out io.Writer, f *fabric.Fabric, o *Options) error {
	w := &writer{w: bufio.NewWriter(out)}
	if o != nil {
		w.Options = *o
	}
	if w.Limit <= 0 {
		w.Limit = defaultLimit
	}
	w.origin(f)
	w.nodes(f)
	if w.Topology != nil {
		w.topology(f, w.Topology)
	}
	w.links(f)
	w.degraded(f)
	w.problems(f)
	w.sweep(f)
	return w.w.Flush()
}

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(w.w, format, args...) }

// ANSI attributes.
const (
	bold   = "1"
	red    = "31"
	green  = "32"
	yellow = "33"
)

func (w *writer) paint(attribute, text string) string {
	if !w.Colour {
		return text
	}
	return "\x1b[" + attribute + "m" + text + "\x1b[0m"
}

func (w *writer) heading(text string) { w.printf("\n%s\n", w.paint(bold, text)) }

// more ends a list of which only the first Limit were shown.
func (w *writer) more(total int, indent string) {
	if total > w.Limit {
		w.printf("%s… and %d more\n", indent, total-w.Limit)
	}
}

// label is what a node is called, safe to print.
func (w *writer) label(n *fabric.Node) string {
	if w.Name != nil {
		if name, ok := w.Name(n); ok {
			return escape.Text(name)
		}
	}
	if d := n.Description(); d != "" {
		return escape.Text(d)
	}
	return n.Type().String() + " without a description"
}

// fit cuts or pads text to a width in characters.
func fit(text string, width int) string {
	n := utf8.RuneCountInString(text)
	if n <= width {
		return text + strings.Repeat(" ", width-n)
	}
	return string([]rune(text)[:width-1]) + "…"
}

// count is "1 link", "2 links".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
