package trace

import (
	"fmt"

	"github.com/ibscope/ibscope/counters/threshold"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/measure"
	"github.com/ibscope/ibscope/internal/cli/report"
)

// The columns, as indices of a row.
const (
	lidColumn = iota
	hop
	name
	inPort
	outPort
	rate
	state
	inErrors
	outErrors
	guid
	lid
	numColumns
)

var columns = []report.Column{
	lidColumn: {Name: "to_lid", Title: "To LID", Right: true, Help: "LID of the destination, where it has several"},
	hop:       {Name: "hop", Title: "Hop", Right: true, Help: "number of links that lead here"},
	name:      {Name: "name", Title: "Node", Min: 16, Help: "name of the node, else its description"},
	inPort:    {Name: "in.port", Title: "In", Right: true, Help: "port where packets come in"},
	outPort:   {Name: "out.port", Title: "Out", Right: true, Help: "port by which they leave"},
	rate:      {Name: "out.rate", Title: "Rate", Rank: 2, Help: "width and speed of the link by which they leave"},
	state:     {Name: "out.state", Title: "State", Rank: 1, Help: "its state"},
	inErrors:  {Name: "in.errors", Title: "Errors", Unit: "in", Right: true, Help: "with --counters: sum of the errors of the port where they come in"},
	outErrors: {Name: "out.errors", Title: "Errors", Unit: "out", Right: true, Help: "of the port by which they leave"},
	guid:      {Name: "guid", Title: "GUID", Rank: 4, Help: "GUID of the node"},
	lid:       {Name: "lid", Title: "LID", Right: true, Rank: 3, Help: "LID of the node, of an adapter that of the port"},
}

// tracer makes the rows of ways.
type tracer struct {
	name     func(*fabric.Node) string
	readings *measure.Readings
	several  bool // ways
	rows     [][]report.Cell
}

func (t *tracer) way(w *route.Way) {
	for i, s := range w.Steps {
		row := t.row(w.LID, i, s.Node, s.In, s.OutPort())
		if s.Out >= 0 {
			row[outPort] = report.Number(s.Out)
		}
		if i == len(w.Steps)-1 && w.End != route.Arrives {
			row[name] = row[name].Marked(report.Bad)
		}
		t.rows = append(t.rows, row)
	}
}

func (t *tracer) row(to ib.LID, number int, n *fabric.Node, in, out *fabric.Port) []report.Cell {
	row := make([]report.Cell, numColumns)
	if t.several {
		row[lidColumn] = report.LID(to)
	}
	row[hop], row[name], row[guid] = report.Number(number), report.Text(t.name(n)), report.GUID(n.GUID())
	if in != nil {
		row[inPort], row[inErrors], row[lid] = report.Number(in.Num()), t.errors(in), report.LID(in.LID())
	}
	if out == nil {
		return row
	}
	row[outPort], row[outErrors], row[lid] = report.Number(out.Num()), t.errors(out), report.LID(out.LID())
	if active := out.Active(); active.Width.Lanes() > 0 && out.Num() > 0 {
		row[rate] = report.Text(fmt.Sprintf("%s %s", active.Width, active.Speed))
	}
	if s := out.State(); s != ib.PortNoChange && out.Num() > 0 {
		row[state] = report.Text(s.String())
		if s != ib.PortActive {
			row[state] = row[state].Marked(report.Bad)
		}
	}
	return row
}

// errors is the sum of a port's errors.
func (t *tracer) errors(p *fabric.Port) report.Cell {
	if t.readings == nil {
		return report.Cell{}
	}
	r := t.readings.Of(p)
	if r == nil {
		return report.Cell{}
	}
	sum := uint64(0)
	for c := range threshold.Default().Watched().All() {
		if r.Last.Has.Has(c) {
			sum += r.Last.Values[c]
		}
	}
	cell := report.Number(sum)
	if sum > 0 {
		cell = cell.Marked(report.Bad)
	}
	return cell
}

// outcome says how a way ends.
func (t *tracer) outcome(w *route.Way) string {
	last := func() string { return t.name(w.Steps[len(w.Steps)-1].Node) }
	switch w.End {
	case route.Arrives:
		return fmt.Sprintf("LID %d: arrives at %s after %d hops", w.LID, last(), len(w.Steps)-1)
	case route.NoRoute:
		return fmt.Sprintf("LID %d: black hole at %s, whose table has no port for it", w.LID, last())
	case route.DeadEnd:
		s := w.Steps[len(w.Steps)-1]
		if p := s.OutPort(); p != nil && p.Remote() != nil {
			return fmt.Sprintf("LID %d: black hole at %s, which sends to port %d, whose link is %s", w.LID, last(), s.Out, p.State())
		}
		return fmt.Sprintf("LID %d: black hole at %s, which sends to port %d, which has no link", w.LID, last(), s.Out)
	case route.WrongEnd:
		return fmt.Sprintf("LID %d: comes to %s, which does not have it", w.LID, last())
	case route.Circle:
		return fmt.Sprintf("LID %d: loop, comes back to %s after %d hops", w.LID, last(), len(w.Steps)-1-w.Back)
	case route.Unread:
		return fmt.Sprintf("LID %d: the table of %s is not known", w.LID, last())
	case route.NoStart:
		return fmt.Sprintf("LID %d: %s port %d, where it should begin, has no link", w.LID, t.name(w.From.Node()), w.From.Num())
	}
	return fmt.Sprintf("LID %d is not assigned", w.LID)
}
