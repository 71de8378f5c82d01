package ibnetdiscover

import (
	"bytes"

	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// readPort reads a port line of a switch
//
//	[1]<TAB>"H-0002c90300000001"[1](2c90300000002) <TAB><TAB># "host HCA-1" lid 3 4xEDR
//
// or of a CA or router
//
//	[1](2c90300000002) <TAB>"S-0002c90300000010"[1]<TAB><TAB># lid 3 lmc 0 "switch" lid 2 4xEDR
//
// -g puts [ext 7] behind numbers, ibdiagnet (1/2/1), the label of the port.
func (d *reader) readPort(text lines.Cursor) bool {
	l := link{line: int32(d.line), record: d.current}
	var ok bool
	if l.num, ok = readNumber(&text); !ok {
		return false
	}
	if d.current < 0 {
		d.problems.Bad(d.line, "expected a node header before the first port line")
		return true
	}
	byCA := d.records[d.current].typ != ib.NodeSwitch
	d.readGUIDOf(&l, &text, hasGUID, byCA)
	text.Blanks()
	id, ok := text.Between('"', '"')
	if !ok || len(id) == 0 {
		return false
	}
	if l.peerNum, ok = readNumber(&text); !ok {
		return false
	}
	l.peer = d.peerOf(id)
	d.readGUIDOf(&l, &text, hasPeerGUID, !byCA && id[0] != 'S')
	text.Blanks()
	if len(text) > 0 && !text.Byte('#') {
		d.problems.Bad(d.line, "expected # behind the peer, got %s", lines.Excerpt(text))
	}
	text.Blanks()
	d.readLinkComment(&l, text, byCA)
	d.addLink(l)
	return true
}

// addLink adds a port line.
func (d *reader) addLink(l link) {
	d.links = append(d.links, l)
	p := &d.peers[l.peer]
	p.maxPort = max(p.maxPort, l.peerNum)
	if p.line == 0 {
		p.line, p.byCA = l.line, d.records[l.record].typ != ib.NodeSwitch
	}
}

// readNumber takes a port number in brackets.
func readNumber(text *lines.Cursor) (uint8, bool) {
	t := *text
	if !t.Byte('[') {
		return 0, false
	}
	t.Blanks()
	n, ok := t.Uint()
	t.Blanks()
	if !ok || n < 1 || n > maxPorts || !t.Byte(']') {
		return 0, false
	}
	*text = t
	return uint8(n), true
}

// readGUIDOf takes what stands behind a port number: [ext N], labels, and the
// port GUID where one is expected. Of several things in parentheses the GUID is
// the last.
func (d *reader) readGUIDOf(l *link, text *lines.Cursor, which linkParts, expected bool) {
	if ext := *text; ext.Text("[ext") {
		if i := bytes.IndexByte(ext, ']'); i >= 0 {
			*text = ext[i+1:]
		}
	}
	var inner []byte
	for {
		in, ok := text.Between('(', ')')
		if !ok {
			break
		}
		inner = in
	}
	if !expected || inner == nil {
		return
	}
	guid, ok := lines.Hex(inner)
	if !ok {
		d.oddGUIDs.add(l.line)
		return
	}
	l.has |= which
	if which == hasGUID {
		l.guid = ib.GUID(guid)
	} else {
		l.peerGUID = ib.GUID(guid)
	}
}

// readLinkComment reads what stands behind the "#" of a port line.
func (d *reader) readLinkComment(l *link, text lines.Cursor, byCA bool) {
	if byCA {
		if lid, ok := d.readLID(&text, "lid"); ok {
			l.lid, l.has = lid, l.has|hasLID
		}
		text.Blanks()
		lmc, _ := d.readLID(&text, "lmc")
		l.lmc = uint8(lmc & 7)
		text.Blanks()
	}
	p := &d.peers[l.peer]
	if desc, ok := quoted(&text); ok {
		switch {
		case !p.hasDesc:
			p.desc, p.hasDesc = string(desc), true
		case p.hasGUID && p.desc != string(desc):
			d.otherNames.add(l.line)
		}
	}
	text.Blanks()
	if lid, ok := d.readLID(&text, "lid"); ok {
		l.peerLID, l.has = lid, l.has|hasPeerLID
		if !p.lid.IsUnicast() {
			p.lid = lid
		}
	}
	text.Blanks()
	d.readRate(l, &text)
	if len(text) > 0 {
		d.readTail(l, text)
	}
}
