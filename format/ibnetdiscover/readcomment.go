package ibnetdiscover

import (
	"time"

	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// readComment reads what a comment of the header tells about the sweep. Other
// comments, those of editors among them, mean nothing.
func (d *reader) readComment(text lines.Cursor) bool {
	for text.Byte('#') {
		text.Blanks()
	}
	switch {
	case text.Text("Initiated from node "):
		node, ok := lines.Hex(text.Word())
		if text.Blanks(); !ok || !text.Text("port ") {
			break
		}
		if port, ok := lines.Hex(text.Word()); ok {
			d.startNode, d.startPort, d.hasStart = ib.GUID(node), ib.GUID(port), true
		}
	case text.Text("Topology file: generated on "):
		// The text has no time zone: it was that of the machine which printed it.
		if t, err := time.Parse(time.ANSIC, string(text)); err == nil {
			d.sweep.Started = t
		}
	case text.Text("Reported max hops discovered: "), text.Text("Max of "):
		d.sweep.MaxHops, _ = text.Uint()
	case text.Text("Total MADs used: "):
		d.sweep.SMPs, _ = text.Uint()
	}
	return true
}

// readSection reads a heading of -g.
func (d *reader) readSection(text lines.Cursor) bool {
	switch {
	case text.Text("Non-Chassis"):
		d.section = 0
	case text.Text("Chassis"):
		d.sections++
		d.section = d.sections
	}
	return true
}
