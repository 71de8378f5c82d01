package ibnetdiscover

import (
	"bytes"

	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// attribute reads the number behind the first "=" of a line.
func attribute(text lines.Cursor) (value uint64, rest lines.Cursor, ok bool) {
	rest = text[bytes.IndexByte(text, '=')+1:]
	rest.Blanks()
	end := bytes.IndexAny(rest, "( \t#")
	if end < 0 {
		end = len(rest)
	}
	value, ok = lines.Hex(rest[:end])
	return value, rest[end:], ok
}

func (d *reader) readVendor(text lines.Cursor) bool {
	v, _, ok := attribute(text)
	if !ok || v >= 1<<24 {
		return false
	}
	d.next.vendor = uint32(v)
	return true
}

func (d *reader) readDevice(text lines.Cursor) bool {
	v, _, ok := attribute(text)
	if !ok || v >= 1<<16 {
		return false
	}
	d.next.device = uint16(v)
	return true
}

func (d *reader) readSystem(text lines.Cursor) bool {
	v, _, ok := attribute(text)
	d.next.system = ib.GUID(v)
	return ok
}

// readGUIDs reads switchguid=0x1(1) and its like. Files from before 2010 have
// nothing in parentheses.
func (d *reader) readGUIDs(text lines.Cursor) bool {
	v, rest, ok := attribute(text)
	if !ok {
		return false
	}
	d.next.guid, d.next.hasGUID = ib.GUID(v), true
	d.next.inParens = 0
	if inner, ok := rest.Between('(', ')'); ok {
		if v, ok = lines.Hex(inner); !ok {
			return false
		}
		d.next.inParens = ib.GUID(v)
	}
	return true
}

// nodeWords are the words that node headers begin with. Ports reports have
// their own.
var nodeWords = []struct {
	word string
	typ  ib.NodeType
}{
	{"Switch", ib.NodeSwitch}, {"Ca", ib.NodeCA}, {"Hca", ib.NodeCA}, {"Router", ib.NodeRouter}, {"Rt", ib.NodeRouter},
}

// readNode reads the header of a node, or a line of a list, which begins alike.
func (d *reader) readNode(text lines.Cursor) bool {
	var typ ib.NodeType
	for _, w := range nodeWords {
		if text.Text(w.word) {
			typ = w.typ
			break
		}
	}
	text.Blanks()
	if text.Byte(':') {
		return d.readListed(typ, text)
	}
	ports, okPorts := text.Uint()
	text.Blanks()
	id, okID := text.Between('"', '"')
	if !okPorts || !okID || len(id) == 0 {
		return false
	}
	r := record{head: d.next, typ: typ, id: d.peerOf(id), numPorts: d.portCount(ports)}
	d.next = head{}
	text.Blanks()
	if text.Byte('#') {
		d.readNodeComment(&r, text)
	}
	if t := typeOfID(string(id)); t != 0 && t != typ {
		d.problems.Bad(d.line, "the id %s is that of a %s, but the header says %s", lines.Excerpt(id), t, typ)
	}
	d.addRecord(r)
	return true
}

// portCount bounds the number of ports that a header tells.
func (d *reader) portCount(n int) uint8 {
	if n > maxPorts {
		d.problems.Bad(d.line, "a node has at most %d ports, not %d", maxPorts, n)
		n = maxPorts
	}
	return uint8(n)
}

// maxPorts is the most that NodeInfo.NumPorts holds.
const maxPorts = 255

// readNodeComment reads what stands behind the "#" of a header.
func (d *reader) readNodeComment(r *record, text lines.Cursor) {
	text.Blanks()
	if desc, ok := quoted(&text); ok {
		r.desc, r.hasDesc = string(desc), true
	}
	text.Blanks()
	d.readPort0(r, text)
}

// readPort0 reads "base port 0 lid 1 lmc 0", or as much of it as there is: the
// LID may be missing, and generated files have none of it.
func (d *reader) readPort0(r *record, text lines.Cursor) {
	switch {
	case text.Text("base port 0"):
		r.port0 = port0Base
	case text.Text("enhanced port 0"):
		r.port0 = port0Enhanced
	}
	text.Blanks()
	r.lid, r.hasLID = d.readLID(&text, "lid")
	text.Blanks()
	lmc, _ := d.readLID(&text, "lmc")
	r.lmc = uint8(lmc & 7)
	text.Blanks()
	if len(text) > 0 && !text.Text("(scp)") {
		d.problems.Bad(d.line, "expected base or enhanced port 0, lid and lmc behind the description, got %s", lines.Excerpt(text))
	}
}

// readLID takes a word and the number behind it. The word may stand alone: what
// follows is then the next word, or a rate.
func (d *reader) readLID(text *lines.Cursor, word string) (ib.LID, bool) {
	if !text.Text(word) {
		return 0, false
	}
	text.Blanks()
	after := *text
	value := lines.Cursor(after.Word())
	number := value
	n, ok := number.Uint()
	switch {
	case ok && len(number) == 0 && n <= 0xffff:
		*text = after
		return ib.LID(n), true
	case len(value) == 0 || value[0] == 'l' || bytes.IndexByte(value, 'x') > 0:
		return 0, false
	}
	*text = after
	d.problems.Bad(d.line, "expected a number up to 65535 behind %s, got %s", word, lines.Excerpt(value))
	return 0, false
}

// quoted takes a description in quotes. It may hold quotes itself, and nothing
// behind it has any: it ends at the last one of the line.
func quoted(text *lines.Cursor) ([]byte, bool) {
	s := *text
	end := bytes.LastIndexByte(s, '"')
	if end < 1 || s[0] != '"' {
		return nil, false
	}
	*text = s[end+1:]
	return s[1:end], true
}
