package iblinkinfo

import (
	"bytes"
	"io"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// Read reads what iblinkinfo printed, with or without -l. Name stands for the file
// in problems. Errors are *facts.Error: of the stream, facts.ErrNothing and
// facts.ErrTooLarge.
func Read(r io.Reader, name string) (*fabric.Fabric, error) {
	set := facts.NewSet()
	if err := ReadInto(r, set.File(name)); err != nil {
		return nil, err
	}
	return set.Build()
}

// ReadInto tells what the lines say to a file of a set, when all files are read:
// iblinkinfo prints port GUIDs, and no node GUIDs. What no other file knows gets
// its port GUID, or that of its first port, as node GUID; with -l each port of an
// adapter is a node of its own. Without -l the far end of a link is named by its
// LID alone, and is found if the output has it too. The error is that of the
// stream.
//
// The advice ("Could be 4X") is not read, nor are the numbers of front panel ports
// and what -p adds.
func ReadInto(r io.Reader, f *facts.File) error {
	d := linkReader{File: f}
	if err := f.Each(r, d.read); err != nil {
		return err
	}
	f.Later(d.tell)
	return nil
}

// maxRows bounds the ports that are kept.
const maxRows = lines.MaxPorts

type linkReader struct {
	*facts.File
	rows  []row
	heads int // nodes with a heading, without -l
	typ   ib.NodeType
	guid  ib.GUID // of a switch
	name  string
}

// row is a line about a port.
type row struct {
	line  int
	head  int // which heading it is below, 0 with -l
	typ   ib.NodeType
	name  string
	here  end
	far   *end
	desc  string // of the far end
	state facts.Fact
	fdr10 bool
}

// end is a port as a line names it.
type end struct {
	guid ib.GUID // of the port, 0 for not told
	lid  ib.LID
	num  int
}

func (d *linkReader) read(line int, text []byte) {
	s := strings.TrimRight(string(text), " \t")
	switch {
	case strings.TrimSpace(s) == "" || s[0] == '#':
	case d.heading(s):
	case !d.row(line, s):
		d.Bad(line, "expected a line of iblinkinfo, got %s", lines.Excerpt(text))
	}
}

// heading reads "Switch: 0x… name:", "CA: name:" and "Router: name:".
func (d *linkReader) heading(s string) bool {
	kind, rest, ok := strings.Cut(s, ": ")
	if !ok || strings.Contains(s, "==(") {
		return false
	}
	d.guid = 0
	switch kind {
	case "Switch":
		c := lines.Cursor(rest)
		guid, ok := lines.Hex(c.Word())
		if !ok || guid == 0 {
			return false
		}
		c.Byte(' ')
		d.typ, d.guid, rest = ib.NodeSwitch, ib.GUID(guid), string(c)
	case "CA":
		d.typ = ib.NodeCA
	case "Router":
		d.typ = ib.NodeRouter
	case "??":
		d.typ = 0
	default:
		return false
	}
	d.name = strings.TrimSuffix(rest, ":")
	d.heads++
	return true
}

// row reads the line of a port.
func (d *linkReader) row(line int, s string) bool {
	local, rest, ok := strings.Cut(s, " ==(")
	if !ok {
		return false
	}
	state, remote, ok := strings.Cut(rest, "==>")
	if !ok || len(d.rows) >= maxRows {
		return false
	}
	r := row{line: line, head: d.heads, typ: d.typ, name: d.name}
	c := lines.Cursor(strings.TrimSpace(local))
	if bytes.HasPrefix(c, []byte("0x")) {
		guid, _ := lines.Hex(c.Word())
		r.here.guid = ib.GUID(guid)
		c.Blanks()
	} else {
		r.here.guid = d.guid
	}
	if len(c) > 0 && c[0] == '"' {
		at := bytes.LastIndexByte(c, '"')
		if at < 1 {
			return false
		}
		r.head, r.typ, r.name = 0, 0, strings.TrimLeft(string(c[1:at]), " ")
		c = c[at+1:]
	}
	if !r.here.position(&c) || !r.readState(state) || r.here.guid == 0 {
		return false
	}
	r.readFar(strings.TrimSpace(remote))
	d.rows = append(d.rows, r)
	return true
}

// position takes "41    1[  ]": LID, port, number on the front panel.
func (e *end) position(c *lines.Cursor) bool {
	c.Blanks()
	lid, okLID := c.Uint()
	c.Blanks()
	num, okNum := c.Uint()
	_, okPanel := c.Between('[', ']')
	e.lid, e.num = ib.LID(lid), num
	return okLID && lid <= 0xffff && okNum && num >= 1 && num <= 254 && okPanel
}

// readState reads " 4X        53.125 Gbps Active/  LinkUp)" or, down,
// "              Down/ Polling)".
func (r *row) readState(s string) bool {
	s, _, _ = strings.Cut(s, " (HOQ:")
	s = strings.TrimSuffix(strings.TrimRight(s, " "), ")")
	slash := strings.LastIndexByte(s, '/')
	if slash < 0 {
		return false
	}
	front := strings.TrimSpace(s[:slash])
	blank := strings.LastIndexByte(front, ' ') + 1
	state, ok := facts.State(front[blank:])
	phys, okPhys := facts.PhysState(s[slash+1:])
	r.state.States(state, phys)
	rate := strings.TrimSpace(front[:blank])
	if !ok || !okPhys || rate == "" {
		return ok && okPhys
	}
	width, speed, _ := strings.Cut(rate, " ")
	w, _ := facts.Width(width)
	v, _ := facts.Speed(speed)
	r.fdr10 = v == ib.SpeedFDR10
	r.state.Link(w, v)
	return true
}

// readFar reads `0x…     42    4[  ] "name" ( )`, the GUID with -l only.
func (r *row) readFar(s string) {
	c := lines.Cursor(s)
	far := new(end)
	if bytes.HasPrefix(c, []byte("0x")) {
		guid, _ := lines.Hex(c.Word())
		far.guid = ib.GUID(guid)
	}
	if !far.position(&c) {
		return // [  ] "" ( ), or "Port not available"
	}
	r.far = far
	c.Blanks()
	if close := bytes.LastIndex(c, []byte(`" (`)); close > 0 && c[0] == '"' {
		r.desc = string(c[1:close])
	}
}
