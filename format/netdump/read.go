package netdump

import (
	"bytes"
	"io"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// Read reads a .net_dump or a .net_dump_ext. Name stands for the file in problems.
// Errors are *facts.Error: of the stream, facts.ErrNothing and facts.ErrTooLarge.
func Read(r io.Reader, name string) (*fabric.Fabric, error) {
	set := facts.NewSet()
	if err := ReadInto(r, set.File(name)); err != nil {
		return nil, err
	}
	return set.Build()
}

// ReadInto tells what the tables say to a file of a set. The error is that of
// the stream.
//
// The far end of a link is named by its GUID, or its LID in .net_dump_ext, and
// the label of its port; the number of the port is found where the far end has a
// table too. Of a far end without one, an adapter, a label that is a number is the
// number, and the ports with other labels are numbered as they come: adapters show
// each of their ports as a node of one port. Columns about FEC, retransmission and
// bit error rates are passed over.
func ReadInto(r io.Reader, f *facts.File) error {
	d := reader{File: f, ports: make(map[label]int), byLID: make(map[ib.LID]ib.GUID), known: make(map[ib.GUID]bool)}
	if err := f.Each(r, d.read); err != nil {
		return err
	}
	f.Later(d.link)
	return nil
}

// reader gathers rows until all labels are known.
type reader struct {
	*facts.File
	node    ib.GUID        // whose table it is, 0 in one table of all
	columns map[string]int // column by its name in upper case
	width   int            // number of columns
	rows    []row
	ports   map[label]int // port number by label
	byLID   map[ib.LID]ib.GUID
	known   map[ib.GUID]bool // nodes with rows
}

// label is how a port is called at its node.
type label struct {
	node ib.GUID
	text string
}

// row is a link that waits for the number of its far port.
type row struct {
	line int
	here facts.End
	far  label
	lid  ib.LID // of the far end
	desc string
}

// maxRows bounds the rows that are kept.
const maxRows = lines.MaxPorts

func (d *reader) read(line int, text []byte) {
	s := strings.TrimSpace(string(text))
	switch {
	case s == "":
	case s[0] == '"' && d.heading(line, s):
	case d.titles(s):
	case s[0] == '#':
	case d.columns == nil:
		d.Bad(line, "expected a switch as \"name\", vendor, 0x…, LID 1, got %s", lines.Excerpt(text))
	default:
		d.row(line, s)
	}
}

// heading reads "description", vendor, 0x…, LID 24.
func (d *reader) heading(line int, s string) bool {
	at := strings.LastIndex(s, ", LID ")
	if at < 0 {
		return false
	}
	lid := lines.Cursor(s[at+len(", LID "):])
	num, ok := lid.Uint()
	front := s[:at]
	comma := strings.LastIndex(front, ", 0x")
	if !ok || num > 0xffff || comma < 0 {
		return false
	}
	guid, ok := lines.Hex([]byte(front[comma+2:]))
	quote := strings.LastIndex(front[:comma], `"`)
	if !ok || guid == 0 || quote < 1 {
		return false
	}
	d.node, d.columns = ib.GUID(guid), nil
	d.known[d.node] = true
	d.tellNode(line, d.node, ib.NodeSwitch, front[1:quote])
	d.tellLID(line, d.node, 0, ib.LID(num))
	return true
}

// titles reads a line of column names, which begins with "#" or "Ty".
func (d *reader) titles(s string) bool {
	cells := strings.Split(s, ":")
	names := make(map[string]int, len(cells))
	for i, c := range cells {
		names[strings.ToUpper(strings.TrimSpace(c))] = i
	}
	_, a := names["IB#"]
	_, b := names["#IB"]
	if _, c := names["STA"]; !c || !a && !b {
		return false
	}
	d.columns, d.width = names, len(cells)
	return true
}

// cell is a column of a row by any of its names, "" where it is not there or not
// applicable.
func (d *reader) cell(cells []string, names ...string) string {
	for _, name := range names {
		if i, ok := d.columns[name]; ok && i < len(cells) {
			if s := strings.TrimSpace(cells[i]); s != "N/A" {
				return s
			}
		}
	}
	return ""
}

func (d *reader) row(line int, s string) {
	cells := strings.SplitN(s, ":", d.width)
	c := lines.Cursor(d.cell(cells, "IB#", "#IB"))
	num, ok := c.Uint()
	node := d.node
	if guid := d.cell(cells, "GUID"); guid != "" {
		v, _ := lines.Hex([]byte(guid))
		node = ib.GUID(v)
		d.ownRow(line, node, num, cells)
	}
	if !ok || len(c) > 0 || node == 0 || num > 254 || len(cells) < d.width {
		d.Bad(line, "expected a row of %d columns with the number of a port, got %s", d.width, lines.Excerpt([]byte(s)))
		return
	}
	d.tellPort(line, node, num, cells)
	if name := d.cell(cells, "#"); name != "" {
		d.ports[label{node, name}] = num
	}
	d.far(line, facts.End{Node: node, Port: num}, cells)
}

// far keeps what a row tells of the far end.
func (d *reader) far(line int, here facts.End, cells []string) {
	r := row{line: line, here: here}
	if conn := d.cell(cells, "CONN LID (#)"); conn != "" {
		lid, rest, _ := strings.Cut(conn, "(")
		c := lines.Cursor(strings.TrimSpace(lid))
		num, _ := c.Uint()
		r.lid, r.far.text = ib.LID(num), strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), ")"))
	} else {
		v, _ := lines.Hex([]byte(d.cell(cells, "NEIGHBOR GUID")))
		c := lines.Cursor(d.cell(cells, "NLID"))
		num, _ := c.Uint()
		r.lid, r.far = ib.LID(num), label{ib.GUID(v), d.cell(cells, "N#")}
		r.desc = unquote(d.cell(cells, "NEIGHBOR DESCRIPTION"))
	}
	switch {
	case r.far.node == 0 && r.lid == 0:
	case len(d.rows) >= maxRows:
		d.Bad(line, "more links than a fabric can have; this one is not read")
	default:
		d.rows = append(d.rows, r)
	}
}

func unquote(s string) string {
	if len(s) > 1 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}

// isNumber reads a label that is a port number.
func isNumber(s string) (int, bool) {
	c := lines.Cursor(bytes.TrimSpace([]byte(s)))
	num, ok := c.Uint()
	return num, ok && len(c) == 0 && num > 0 && num <= 254
}
