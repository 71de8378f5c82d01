package iblinkinfo

import (
	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/ib"
)

// tell tells all rows, now that other files may know which node has a port GUID.
func (d *linkReader) tell(find facts.Finder) {
	t := teller{linkReader: d, find: find, byHead: make(map[int]ib.GUID), byLID: make(map[ib.LID]facts.End), switches: make(map[ib.GUID]bool)}
	first := make(map[ib.GUID]int)
	for i := range d.rows {
		r := &d.rows[i] // with -l a port GUID of several ports is that of a switch
		num, seen := first[r.here.guid]
		if r.typ == ib.NodeSwitch || seen && num != r.here.num || r.here.num > maxCAPort {
			t.switches[r.here.guid] = true
		}
		first[r.here.guid] = r.here.num
	}
	ends := make([]facts.End, len(d.rows))
	for i := range d.rows {
		ends[i] = t.own(&d.rows[i])
	}
	for i := range d.rows {
		t.connect(&d.rows[i], ends[i])
	}
}

// maxCAPort is the highest port that an adapter has.
const maxCAPort = 4

type teller struct {
	*linkReader
	find     facts.Finder
	byHead   map[int]ib.GUID // node of a heading
	byLID    map[ib.LID]facts.End
	switches map[ib.GUID]bool
}

// node is the node of a port GUID.
func (t *teller) node(port ib.GUID) ib.GUID {
	if e, ok := t.find(port); ok {
		return e.Node
	}
	return port
}

// own tells of the port that a row is about.
func (t *teller) own(r *row) facts.End {
	guid, ok := t.byHead[r.head]
	if !ok || r.head == 0 {
		guid = t.node(r.here.guid)
		t.byHead[r.head] = guid
	}
	typ := r.typ
	if typ == 0 && t.switches[r.here.guid] {
		typ = ib.NodeSwitch
	}
	var node facts.Fact
	if typ != 0 {
		node.Set(facts.NodeField("NodeType"), uint64(typ))
	}
	if typ == ib.NodeSwitch {
		node.Set(facts.NodeField("PortGUID"), uint64(r.here.guid))
	} else {
		t.PortGUID(r.line, guid, r.here.num, r.here.guid)
	}
	t.Node(r.line, guid, &node)
	t.Describe(r.line, guid, r.name)
	t.Port(r.line, guid, r.here.num, &r.state)
	if r.fdr10 {
		t.FDR10(r.line, guid, r.here.num)
	}
	t.lid(r.line, guid, r.here, typ == ib.NodeSwitch)
	return facts.End{Node: guid, Port: r.here.num}
}

// lid tells a LID, which on a switch is that of port 0.
func (t *teller) lid(line int, guid ib.GUID, e end, isSwitch bool) {
	num := e.num
	if isSwitch {
		num = 0
	}
	var fact facts.Fact
	fact.LID(e.lid)
	t.Port(line, guid, num, &fact)
	if _, ok := t.byLID[e.lid]; !ok && e.lid != 0 {
		t.byLID[e.lid] = facts.End{Node: guid, Port: num}
	}
}

// connect tells the link of a row.
func (t *teller) connect(r *row, here facts.End) {
	if r.far == nil {
		return
	}
	far := facts.End{Port: r.far.num}
	if known, ok := t.byLID[r.far.lid]; ok && r.far.lid != 0 {
		far.Node = known.Node
	}
	if r.far.guid != 0 {
		far.Node = t.node(r.far.guid)
	}
	if far.Node == 0 {
		t.Bad(r.line, "the far end has LID %d, which no port of the output has; the link is left out", r.far.lid)
		return
	}
	if _, seen := t.byLID[r.far.lid]; !seen {
		t.Describe(r.line, far.Node, r.desc)
		t.PortGUID(r.line, far.Node, far.Port, r.far.guid)
		t.lid(r.line, far.Node, *r.far, false)
	}
	t.Link(r.line, here, far)
}
