package differences

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/diff"
	"github.com/ibscope/ibscope/fabric/verify"
	"github.com/ibscope/ibscope/format/fabricdiff"
	"github.com/ibscope/ibscope/internal/cli/report"
)

// The columns, as indices of a row.
const (
	change = iota
	what
	name
	port
	peerName
	peerPort
	inA
	inB
	guid
	peerGUID
	subject
	field
	message
	numColumns
)

var columns = []report.Column{
	change:   {Name: "change", Title: "Change", Help: "only-a, only-b, differs, moved (a link), replaced (a node)"},
	what:     {Name: "what", Title: "What", Min: 9, Help: "node, link or port, or the field that differs"},
	name:     {Name: "name", Title: "Node", Min: 12, Help: "the node that it is about, or that at one end"},
	port:     {Name: "port", Title: "Port", Right: true, Help: "its port"},
	peerName: {Name: "peer.name", Title: "Peer", Min: 12, Rank: 2, Help: "the node at the other end"},
	peerPort: {Name: "peer.port", Title: "Port", Right: true, Rank: 2, Help: "its port"},
	inA:      {Name: "in_a", Title: "In A", Min: 7, Help: "value in A; of what moved or was replaced, what is there in A: node and port"},
	inB:      {Name: "in_b", Title: "In B", Min: 7, Help: "likewise in B"},
	guid:     {Name: "guid", Title: "GUID", Rank: 5, Help: "GUID of the node"},
	peerGUID: {Name: "peer.guid", Title: "GUID", Hidden: true, Help: "GUID of the node at the other end"},
	subject:  {Name: "subject", Title: "Subject", Hidden: true, Help: "node, link or port"},
	field:    {Name: "field", Title: "Field", Hidden: true, Help: "of what differs: the field"},
	message:  {Name: "message", Title: "Message", Hidden: true, Help: "all of it in a line"},
}

// words are what people see of a change.
var words = map[diff.Op]string{diff.OnlyA: "only A", diff.OnlyB: "only B"}

// table is a comparison as a report.
func table(r *fabricdiff.Report) *report.Report {
	t := &report.Report{
		Name: "diff", Title: "Differences", Source: r.A.Name + ", " + r.B.Name, Started: r.B.Fabric.Sweep().Started,
		Table:   report.Table{Name: "changes", Columns: columns},
		Summary: summary(r),
	}
	l := &lister{r, verify.Names(r.A.Fabric, r.Name), verify.Names(r.B.Fabric, r.Name)}
	for i := range r.Changes {
		t.Table.Rows = append(t.Table.Rows, l.row(&r.Changes[i]))
	}
	return t
}

// lister makes the rows. It has short names for people, of the nodes of each side.
type lister struct {
	*fabricdiff.Report
	shortA, shortB func(*fabric.Node) string
}

// place is where a change is, with the names of that side.
func (l *lister) place(c *diff.Change) (diff.Place, func(*fabric.Node) string) {
	if c.Op == diff.OnlyB {
		return c.B, l.shortB
	}
	return c.A, l.shortA
}

func summary(r *fabricdiff.Report) string {
	switch n := len(r.Changes); n {
	case 0:
		return r.Summary()
	default:
		return fmt.Sprintf("%s; A: %s, B: %s", r.Summary(), r.A.Name, r.B.Name)
	}
}

func (l *lister) row(c *diff.Change) []report.Cell {
	row := make([]report.Cell, numColumns)
	word := words[c.Op]
	if word == "" {
		word = string(c.Op)
	}
	row[change] = report.Text(string(c.Op)).As(word).Marked(mark(c.Op))
	row[what] = report.Text(cmp.Or(string(c.Field), string(c.Subject)))
	row[subject], row[field], row[message] = report.Text(string(c.Subject)), report.Text(string(c.Field)), report.Text(l.Line(c))
	at, short := l.place(c)
	row[name], row[guid] = report.Text(l.Label(at.Node)).As(short(at.Node)), report.GUID(at.Node.GUID())
	if at.Port != nil && c.Subject != diff.Node {
		row[port] = report.Number(at.Port.Num())
		if peer := at.Peer; peer != nil && c.Op != diff.Moved {
			n := peer.Node()
			row[peerName], row[peerPort] = report.Text(l.Label(n)).As(short(n)), report.Number(peer.Num())
			row[peerGUID] = report.GUID(n.GUID())
		}
	}
	row[inA], row[inB] = l.values(c)
	return row
}

// values are what is in A and in B.
func (l *lister) values(c *diff.Change) (a, b report.Cell) {
	switch c.Op {
	case diff.Moved:
		return end(c.A.Peer, l.shortA), end(c.B.Peer, l.shortB)
	case diff.Replaced:
		before, now := l.shortA(c.A.Node), l.shortB(c.B.Node)
		if before == now {
			before, now = c.A.Node.GUID().String(), c.B.Node.GUID().String()
		}
		return report.Text(before), report.Text(now)
	}
	a, b = report.Text(c.Old), report.Text(c.New)
	if before, now := most(c.Old), most(c.New); before != now && (c.Field == diff.Supported || c.Field == diff.Enabled) {
		return a.As(before), b.As(now)
	}
	return a, b
}

// most is the most of a list of widths or speeds that has the least first: of
// "1x or 4x, SDR or HDR" it is "4x, HDR".
func most(list string) string {
	var best []string
	for part := range strings.SplitSeq(list, ", ") {
		words := strings.Split(part, " or ")
		best = append(best, words[len(words)-1])
	}
	return strings.Join(best, ", ")
}

// end is a port in a few words.
func end(p *fabric.Port, short func(*fabric.Node) string) report.Cell {
	return report.Text(fmt.Sprintf("%s %d", short(p.Node()), p.Num()))
}

func mark(op diff.Op) report.Mark {
	switch op {
	case diff.OnlyA:
		return report.Bad
	case diff.OnlyB:
		return report.Good
	}
	return report.Warning
}
