package counterdump

import (
	"bytes"
	"io"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// Read reads counters; the text tells what it is line by line, so any mixture is
// fine. Name stands for the file in messages. Lines that cannot be understood are
// problems of kind fabric.BadInput. The error, an *Error, is that of the stream,
// ErrNothing or ErrTooLarge.
func Read(r io.Reader, name string) ([]Record, []fabric.Problem, error) {
	d := reader{problems: lines.Problems{File: name}}
	s := lines.NewScanner(r)
	for s.Scan() {
		d.line = s.Num()
		if s.Cut() {
			d.problems.Bad(d.line, "the line is longer than %d bytes; its end is not read", lines.MaxLength)
		}
		d.read(bytes.TrimSpace(s.Bytes()))
		if len(d.records) > MaxRecords {
			return nil, nil, &Error{Op: "read", File: name, Line: d.line, Err: ErrTooLarge}
		}
	}
	if err := s.Err(); err != nil {
		return nil, nil, &Error{Op: "read", File: name, Line: s.Num(), Err: err}
	}
	if len(d.records) == 0 {
		return nil, nil, &Error{Op: "read", File: name, Err: ErrNothing}
	}
	return d.records, d.problems.List(), nil
}

type reader struct {
	problems lines.Problems
	line     int
	records  []Record
	node     Record // what the heading of ibqueryerrors says of the node
	open     bool   // lines with one counter belong to the last record
	wide     bool   // and have 64 bits
}

func (d *reader) read(text []byte) {
	switch {
	case len(text) == 0 || bytes.HasPrefix(text, []byte("---")):
	case d.perfqueryHeading(text), d.nodeHeading(text), d.errorsLine(text), d.pmHeading(text), d.counterLine(text):
	case text[0] == '#' || bytes.HasPrefix(text, []byte("Link info:")):
	default:
		d.problems.Bad(d.line, "expected counters, got %s", lines.Excerpt(text))
	}
}

// add starts a record.
func (d *reader) add(r Record) {
	r.File, r.Line = d.problems.File, d.line
	d.records = append(d.records, r)
}

// perfqueryHeading reads "# Port extended counters: Lid 133 port 1 (CapMask: …)".
func (d *reader) perfqueryHeading(text []byte) bool {
	what, rest, ok := bytes.Cut(text, []byte(" counters: "))
	if !ok {
		what, rest, ok = bytes.Cut(text, []byte("Control: "))
	}
	what, isHeading := bytes.CutPrefix(what, []byte("# "))
	if !ok || !isHeading {
		return false
	}
	r := Record{Attribute: string(what)}
	before, after, ok := bytes.Cut(rest, []byte(" port "))
	c := lines.Cursor(after)
	port, isPort := c.Uint()
	if !ok || !isPort || port > AllPorts {
		return false
	}
	r.Port = port
	if lid, ok := bytes.CutPrefix(before, []byte("Lid ")); ok {
		c := lines.Cursor(lid)
		n, _ := c.Uint()
		r.LID = ib.LID(n)
	}
	d.add(r)
	d.open, d.wide = true, r.Attribute == "Port extended"
	return true
}

// nodeHeading reads 'Errors for 0x… "name"' and 'Data Counters for 0x… "name"'.
func (d *reader) nodeHeading(text []byte) bool {
	rest, ok := bytes.CutPrefix(text, []byte("Errors for "))
	isData := false
	if !ok {
		rest, isData = bytes.CutPrefix(text, []byte("Data Counters for "))
		if !isData {
			return false
		}
	}
	d.node, d.open = Record{}, false
	c := lines.Cursor(rest)
	if isData {
		guid, _ := lines.Hex(c.Word())
		d.node.NodeGUID = ib.GUID(guid)
	}
	if at := bytes.IndexByte(c, '"'); at >= 0 {
		d.node.Name = string(bytes.TrimSuffix(c[at+1:], []byte(`"`)))
	}
	return true
}

// errorsLine reads "GUID 0x… port 1: [SymbolErrorCounter == 1 (1.000)] …".
func (d *reader) errorsLine(text []byte) bool {
	c := lines.Cursor(text)
	if !c.Text("GUID 0x") {
		return false
	}
	guid, ok := lines.Hex(c.Word())
	if !ok || !c.Text(" port ") {
		return false
	}
	r := d.node
	if r.NodeGUID == 0 {
		r.PortGUID = ib.GUID(guid)
	}
	if c.Text("ALL") {
		r.Port = AllPorts
	} else if r.Port, ok = c.Uint(); !ok || r.Port > AllPorts {
		return false
	}
	for _, part := range strings.Split(string(c), "[")[1:] {
		name, rest, ok := strings.Cut(part, " == ")
		value, isNumber := number(rest)
		if !ok || !isNumber || !r.Add(name, value, false) {
			d.problems.Bad(d.line, "expected [name == value], got %s", lines.Excerpt([]byte(part)))
		}
	}
	d.add(r)
	d.open = false
	return true
}

// number takes a decimal or hexadecimal number off the start of a text.
func number(s string) (uint64, bool) {
	s = strings.TrimSpace(s)
	if i := strings.IndexAny(s, " ]("); i >= 0 {
		s = s[:i]
	}
	if strings.HasPrefix(s, "0x") {
		return lines.Hex([]byte(s))
	}
	var v uint64
	for _, b := range []byte(s) {
		if b < '0' || b > '9' || v > (1<<64-1-9)/10 && v > (1<<64-1-uint64(b-'0'))/10 {
			return 0, false
		}
		v = v*10 + uint64(b-'0')
	}
	return v, s != ""
}
