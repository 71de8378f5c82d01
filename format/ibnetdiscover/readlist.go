package ibnetdiscover

import (
	"fmt"

	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// readListed reads the rest of a line of -l, -H, -S, -R
//
//	Switch<TAB> : 0x0002c90300000010 ports 36 devid 0xc738 vendid 0x2c9 "leaf 1"
//
// or of ibswitches, ibhosts, ibrouters
//
//	Switch<TAB>: 0x0002c90300000010 ports 36 "leaf 1" base port 0 lid 2 lmc 0
func (d *reader) readListed(typ ib.NodeType, text lines.Cursor) bool {
	text.Blanks()
	guid, ok := lines.Hex(text.Word())
	text.Blanks()
	if !ok || !text.Text("ports") {
		return false
	}
	text.Blanks()
	ports, ok := text.Uint()
	if !ok {
		return false
	}
	r := record{typ: typ, numPorts: d.portCount(ports), head: head{guid: ib.GUID(guid), hasGUID: true}}
	text.Blanks()
	if text.Text("devid ") {
		v, _ := lines.Hex(text.Word())
		r.device = uint16(v)
	}
	text.Blanks()
	if text.Text("vendid ") {
		v, _ := lines.Hex(text.Word())
		r.vendor = uint32(v & 0xffffff)
	}
	r.id = d.peerOf(fmt.Appendf(nil, "%c-%016x", idLetter(typ), guid))
	d.readNodeComment(&r, text)
	d.addRecord(r)
	d.current = -1 // lists have no port lines
	return true
}

// idLetter is the letter that the ids of a node type begin with.
func idLetter(typ ib.NodeType) byte {
	switch typ {
	case ib.NodeSwitch:
		return 'S'
	case ib.NodeRouter:
		return 'R'
	}
	return 'H'
}
