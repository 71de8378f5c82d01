package ibnetdiscover

import (
	"io"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// Where tells which lines of a text a fabric comes from.
type Where struct {
	// ByPort is true for a ports report (-p), which has port GUIDs and no node
	// GUIDs: the ports of adapters are nodes of their own.
	ByPort bool

	at map[place]int
}

type place struct {
	node ib.GUID
	port int
}

// Line is the line of a node's header (port -1) or of a port; that of the header
// for a port without a line, and 0 for a node without.
func (w *Where) Line(node ib.GUID, port int) int {
	if line, ok := w.at[place{node, port}]; ok {
		return line
	}
	return w.at[place{node, -1}]
}

// ReadLines is Read that also tells the lines.
func ReadLines(r io.Reader, name string) (*fabric.Fabric, *Where, error) {
	g, err := readGraph(r, name)
	if err != nil {
		return nil, nil, err
	}
	w := &Where{ByPort: g.reported, at: make(map[place]int, len(g.records)+len(g.links))}
	for i := range g.records {
		w.put(g.nodes[i].GUID(), -1, int(g.records[i].line))
	}
	for i := range g.links {
		l := &g.links[i]
		w.put(g.nodes[l.record].GUID(), int(l.num), int(l.line))
	}
	return g.b.Build(), w, nil
}

// put keeps the first line of a node or port.
func (w *Where) put(node ib.GUID, port, line int) {
	if _, ok := w.at[place{node, port}]; !ok {
		w.at[place{node, port}] = line
	}
}

// readGraph reads a text as far as before the Build of its fabric.
func readGraph(r io.Reader, name string) (*graph, error) {
	d := newReader(name)
	s := lines.NewScanner(r)
	for s.Scan() {
		if d.line = s.Num(); s.Cut() {
			d.problems.Bad(d.line, "the line is longer than %d bytes; its end is not read", lines.MaxLength)
		}
		d.readLine(s.Bytes())
	}
	if err := s.Err(); err != nil {
		return nil, &ReadError{File: name, Line: s.Num(), Err: err}
	}
	if len(d.records) == 0 {
		return nil, &ReadError{File: name, Err: ErrNothing}
	}
	return d.graph()
}
