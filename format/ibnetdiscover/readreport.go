package ibnetdiscover

import (
	"bytes"
	"fmt"

	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// reportEnd is one of the two sides of a line of a ports report.
type reportEnd struct {
	typ  ib.NodeType
	lid  ib.LID
	num  uint8
	guid ib.GUID
}

// readReport reads a line of -p
//
//	SW     2  1 0x0002c90300000010 4x EDR - CA     3  1 0x0002c90300000002 ( 'leaf 1' - 'host HCA-1' )
//	SW     2  2 0x0002c90300000010 4x ???                                    'leaf 1'
//
// The GUIDs are those of ports. On a switch that is the node GUID as well; a
// port of a CA or router becomes a node of its own, unless progress lines (-s)
// tell a node GUID that fits.
func (d *reader) readReport(text lines.Cursor) bool {
	own, ok := readEnd(&text)
	if !ok {
		return false
	}
	l := link{line: int32(d.line), num: own.num, lid: own.lid, guid: own.guid, has: hasLID | hasGUID}
	width := text.Word()
	text.Blanks()
	speed := text.Word()
	text.Blanks()
	if !l.rate.setName(string(width) + string(speed)) {
		return false
	}
	d.reported = true
	if text.Text("- ") {
		return d.readLinked(l, own, text)
	}
	l.has |= noPeer
	d.current = d.reportRecord(own)
	l.record, l.peer = d.current, d.records[d.current].id
	if end := len(text) - 1; end > 0 && text[0] == '\'' && text[end] == '\'' {
		d.nameRecord(d.current, text[1:end])
	} else {
		d.problems.Bad(d.line, "expected a name in ' ', got %s", lines.Excerpt(text))
	}
	d.links = append(d.links, l)
	return true
}

// readLinked reads the part of a line of -p behind " - ".
func (d *reader) readLinked(l link, own reportEnd, text lines.Cursor) bool {
	text.Blanks()
	far, ok := readEnd(&text)
	if !ok {
		return false
	}
	l.record = d.reportRecord(own)
	l.peer, l.peerNum = d.peerOf(d.reportID(far)), far.num
	l.peerLID, l.peerGUID, l.has = far.lid, far.guid, l.has|hasPeerLID|hasPeerGUID
	d.current = l.record
	d.addLink(l)
	if names, ok := bytes.CutPrefix(text, []byte("( '")); ok {
		names, _ = bytes.CutSuffix(names, []byte("' )"))
		if a, b, ok := bytes.Cut(names, []byte("' - '")); ok {
			d.nameRecord(l.record, a)
			d.namePeer(l.peer, b)
			return true
		}
	}
	d.problems.Bad(d.line, "expected ( 'name' - 'name' ), got %s", lines.Excerpt(text))
	return true
}

// readEnd takes a type, a LID, a port number and a port GUID.
func readEnd(text *lines.Cursor) (reportEnd, bool) {
	var e reportEnd
	switch {
	case text.Text("SW "):
		e.typ = ib.NodeSwitch
	case text.Text("CA "):
		e.typ = ib.NodeCA
	case text.Text("RT "):
		e.typ = ib.NodeRouter
	default:
		return e, false
	}
	text.Blanks()
	lid, okLID := text.Uint()
	text.Blanks()
	num, okNum := text.Uint()
	text.Blanks()
	guid, okGUID := lines.Hex(text.Word())
	text.Blanks()
	e.lid, e.num, e.guid = ib.LID(lid), uint8(num), ib.GUID(guid)
	return e, okLID && lid <= 0xffff && okNum && num >= 1 && num <= maxPorts && okGUID
}

// reportID is the id that the node of a port would have in a topology.
func (d *reader) reportID(e reportEnd) []byte {
	guid := e.guid
	// Most CAs that number their ports take the node GUID plus the port number.
	if before := guid - ib.GUID(e.num); e.typ != ib.NodeSwitch && !d.sweptCAs[guid] && d.sweptCAs[before] {
		guid = before
	}
	return fmt.Appendf(nil, "%c-%016x", idLetter(e.typ), uint64(guid))
}

// reportRecord is the record of the node that a port belongs to.
func (d *reader) reportRecord(e reportEnd) int32 {
	id := d.peerOf(d.reportID(e))
	if i := d.peers[id].record; i >= 0 {
		r := &d.records[i]
		r.numPorts = max(r.numPorts, e.num)
		return i
	}
	d.addRecord(record{typ: e.typ, id: id, numPorts: e.num, lid: e.lid, hasLID: e.typ == ib.NodeSwitch, portGUID: e.guid})
	return d.current
}

func (d *reader) nameRecord(i int32, name []byte) {
	r := &d.records[i]
	switch {
	case !r.hasDesc:
		r.desc, r.hasDesc = string(name), true
	case r.desc != string(name):
		d.otherNames.add(int32(d.line))
	}
}

func (d *reader) namePeer(i int32, name []byte) {
	if p := &d.peers[i]; !p.hasDesc {
		p.desc, p.hasDesc = string(name), true
	}
}
