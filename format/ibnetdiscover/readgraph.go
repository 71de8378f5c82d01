package ibnetdiscover

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// graph joins the records of a text. Its nodes are the records, then the peers
// that have no record ("missing").
type graph struct {
	*reader
	missing  []int32 // peers
	numPorts []uint8 // of each record, as far as its own text tells
	base     []int32 // of each record: where its ports begin in byPort
	byPort   []int32 // link of a port + 1, 0 for none
	target   []int32 // of each link: the node that it leads to
	back     []int32 // of each link: the link of the other end, -1 when that end does not agree
	guessed  tally   // links of nodes that share their id
	b        *fabric.Builder
	nodes    []*fabric.Node
}

// graph makes the fabric, all but its Build.
func (d *reader) graph() (*graph, error) {
	g := &graph{reader: d, b: fabric.NewBuilder()}
	g.countPorts()
	if g.totalPorts() > lines.MaxPorts {
		return nil, &ReadError{File: d.problems.File, Err: ErrTooLarge}
	}
	g.indexPorts()
	g.resolve()
	if g.totalPorts() > lines.MaxPorts {
		return nil, &ReadError{File: d.problems.File, Err: ErrTooLarge}
	}
	g.addNodes()
	g.addPorts()
	g.addLinks()
	g.setStart()
	g.addTallies()
	for _, p := range g.problems.List() {
		g.b.AddProblem(p)
	}
	g.sweep.Source = "file:" + g.problems.File
	g.b.SetSweep(g.sweep)
	return g, nil
}

// totalPorts is the number of ports that the nodes will have.
func (g *graph) totalPorts() int {
	total := 0
	for i := range g.records {
		total += int(g.records[i].numPorts) + 1
	}
	for _, p := range g.missing {
		total += int(g.peers[p].maxPort) + 1
	}
	return total
}

// indexPorts finds the line of each port.
func (g *graph) indexPorts() {
	g.base = make([]int32, len(g.records))
	total := int32(0)
	for i := range g.records {
		g.base[i] = total
		total += int32(g.numPorts[i]) + 1
	}
	g.byPort = make([]int32, total)
	kept := g.links[:0]
	for _, l := range g.links {
		slot := &g.byPort[g.base[l.record]+int32(l.num)]
		if *slot != 0 {
			g.problems.Bad(int(l.line), "port %d of this node was told before, at %s; this line is not used",
				l.num, g.problems.At(int(g.links[*slot-1].line)))
			continue
		}
		kept = append(kept, l)
		*slot = int32(len(kept))
	}
	g.links = kept
}

// countPorts finds the number of ports of each record: as the header says, or
// the highest number of its lines. Resolve may raise it.
func (g *graph) countPorts() {
	g.numPorts = make([]uint8, len(g.records))
	told := make([]uint8, len(g.records))
	for i := range g.links {
		l := &g.links[i]
		told[l.record] = max(told[l.record], l.num)
	}
	for i := range g.records {
		g.growTo(int32(i), told[i])
		g.numPorts[i] = g.records[i].numPorts
	}
}

// growTo makes port num one of the record's.
func (g *graph) growTo(rec int32, num uint8) {
	r := &g.records[rec]
	if num <= r.numPorts {
		return
	}
	if !g.reported {
		g.problems.Bad(int(r.line), "the header says %d ports, but port %d is linked", r.numPorts, num)
	}
	r.numPorts = num
}

// linkAt is the line of a record's port, -1 for none.
func (g *graph) linkAt(rec int32, num uint8) int32 {
	if num > g.numPorts[rec] {
		return -1
	}
	return g.byPort[g.base[rec]+int32(num)] - 1
}

// numNodes is the number of records and missing peers.
func (g *graph) numNodes() int { return len(g.records) + len(g.missing) }

// typeOf is the type of a node. That of a missing one follows from its id, or
// from what it is connected to.
func (g *graph) typeOf(node int32) ib.NodeType {
	if int(node) < len(g.records) {
		return g.records[node].typ
	}
	p := &g.peers[g.missing[int(node)-len(g.records)]]
	if t := typeOfID(p.id); t != 0 {
		return t
	}
	if p.byCA {
		return ib.NodeSwitch
	}
	return ib.NodeCA
}

// peerIndex is the id of a node.
func (g *graph) peerIndex(node int32) int32 {
	if int(node) < len(g.records) {
		return g.records[node].id
	}
	return g.missing[int(node)-len(g.records)]
}
