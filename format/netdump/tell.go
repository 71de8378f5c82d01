package netdump

import (
	"strings"

	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// Fields that the tables tell.
var (
	nodeType    = facts.NodeField("NodeType")
	neighborMTU = facts.PortField("NeighborMTU")
)

func (d *reader) tellNode(line int, guid ib.GUID, typ ib.NodeType, desc string) {
	var node facts.Fact
	if typ != 0 {
		node.Set(nodeType, uint64(typ))
	}
	d.Node(line, guid, &node)
	if desc != "" {
		d.Describe(line, guid, desc)
	}
}

func (d *reader) tellLID(line int, guid ib.GUID, num int, lid ib.LID) {
	var fact facts.Fact
	fact.LID(lid)
	d.Port(line, guid, num, &fact)
	if lid != 0 {
		d.byLID[lid] = guid
	}
}

// ownRow tells of the node of a row in one table of all nodes.
func (d *reader) ownRow(line int, guid ib.GUID, num int, cells []string) {
	if guid == 0 {
		return
	}
	typ, lidPort := ib.NodeType(0), num
	switch d.cell(cells, "TY") {
	case "CA", "HCA":
		typ = ib.NodeCA
	case "SW":
		typ, lidPort = ib.NodeSwitch, 0
	case "RT", "RTR":
		typ = ib.NodeRouter
	}
	d.known[guid] = true
	d.tellNode(line, guid, typ, unquote(d.cell(cells, "NODE DESC")))
	word, _, _ := strings.Cut(d.cell(cells, "LID"), " ")
	c := lines.Cursor(word)
	if lid, ok := c.Uint(); ok && lid <= 0xffff {
		d.tellLID(line, guid, lidPort, ib.LID(lid))
	}
}

// tellPort tells the states and the rate of a row.
func (d *reader) tellPort(line int, guid ib.GUID, num int, cells []string) {
	var fact facts.Fact
	state, okState := facts.State(d.cell(cells, "STA"))
	phys, okPhys := facts.PhysState(d.cell(cells, "PHYSSTA"))
	fact.States(state, phys)
	width, okWidth := facts.Width(d.cell(cells, "LWA"))
	speed, okSpeed := facts.Speed(d.cell(cells, "LSA"))
	fact.Link(width, speed)
	c := lines.Cursor(d.cell(cells, "MTU"))
	if mtu, ok := c.Uint(); ok {
		fact.Set(neighborMTU, uint64(mtu))
	}
	d.Port(line, guid, num, &fact)
	if speed == ib.SpeedFDR10 {
		d.FDR10(line, guid, num)
	}
	for _, column := range []struct {
		ok   bool
		name string
	}{{okState, "STA"}, {okPhys, "PHYSSTA"}, {okWidth, "LWA"}, {okSpeed, "LSA"}} {
		if text := d.cell(cells, column.name); !column.ok && text != "" {
			d.Bad(line, "column %s: %s is not known", column.name, lines.Excerpt([]byte(text)))
		}
	}
}

// link connects the rows, now that all labels and LIDs are known.
func (d *reader) link(find facts.Finder) {
	next := make(map[ib.GUID]int) // ports of far ends without a table
	for i := range d.rows {
		r := &d.rows[i]
		if r.far.node == 0 {
			guid, ok := d.byLID[r.lid]
			if !ok {
				d.Bad(r.line, "the far end has LID %d, which no row has; the link is left out", r.lid)
				continue
			}
			r.far.node = guid
		}
		num, ok := d.ports[r.far]
		if !ok {
			num, ok = isNumber(r.far.text)
		}
		switch {
		case ok:
		case d.known[r.far.node]:
			d.Bad(r.line, "node %s has no port %q; the link is left out", r.far.node, r.far.text)
			continue
		default:
			if end, ok := find(r.far.node); ok && end.Node != r.far.node {
				r.far.node, num = end.Node, end.Port // it was a port GUID
				break
			}
			next[r.far.node]++
			num = next[r.far.node]
			d.ports[r.far] = num
		}
		d.tellFar(r, num)
		d.Link(r.line, r.here, facts.End{Node: r.far.node, Port: num})
	}
}

// tellFar tells of a far end that has no table of its own.
func (d *reader) tellFar(r *row, num int) {
	if d.known[r.far.node] {
		return
	}
	d.tellNode(r.line, r.far.node, 0, r.desc)
	d.tellLID(r.line, r.far.node, num, r.lid)
}
