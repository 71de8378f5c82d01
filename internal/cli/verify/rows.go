package verify

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/verify"
	"github.com/ibscope/ibscope/internal/cli/report"
)

// The columns, as indices of a row.
const (
	number = iota
	kind
	label
	aName
	aPort
	bName
	bPort
	aNow
	bNow
	aGUID
	bGUID
	where
	cables
	numColumns
)

var columns = []report.Column{
	number: {Name: "number", Title: "#", Right: true, Help: "number of the finding, below which is what to do"},
	kind:   {Name: "kind", Title: "Finding", Help: "missing, extra, swapped, moved, wrong-rate, replaced, missing-node, broken-rule"},
	label:  {Name: "label", Title: "Cable", Help: "label of the cable in the plan; of several the first one"},
	aName:  {Name: "a.name", Title: "From", Min: 12, Help: "node at one planned end; of extra cables that where it is; of firmware who runs it"},
	aPort:  {Name: "a.port", Title: "Port", Right: true, Help: "its port, or what the plan has for one"},
	bName:  {Name: "b.name", Title: "To", Min: 12, Help: "node at the other end"},
	bPort:  {Name: "b.port", Title: "Port", Right: true, Help: "its port"},
	aNow:   {Name: "now.a", Title: "Now from", Rank: 3, Min: 12, Help: "one end of the link that is there"},
	bNow:   {Name: "now.b", Title: "Now to", Rank: 2, Min: 12, Help: "the other end of it"},
	aGUID:  {Name: "a.guid", Title: "GUID", Hidden: true, Help: "GUID of the node at one end, if the plan tells it"},
	bGUID:  {Name: "b.guid", Title: "GUID", Hidden: true, Help: "of the node at the other end"},
	where:  {Name: "plan", Title: "Plan", Rank: 1, Help: "file and line of the plan"},
	cables: {Name: "cables", Title: "Cables", Right: true, Hidden: true, Help: "number of planned cables that the finding is about"},
}

var workColumns = []report.Column{
	{Name: "number", Title: ""},
	{Name: "what", Title: "what"},
	{Name: "do", Title: "do"},
	{Name: "then", Title: "then"},
	{Name: "also", Title: "also"},
}

// maxSteps is how many steps have a line of their own; the last has what is left.
const maxSteps = 3

// addRow adds a finding: a row, and what to do.
func addRow(r *report.Report, f *verify.Finding, name func(*fabric.Node) string) {
	n := len(r.Table.Rows) + 1
	row := make([]report.Cell, numColumns)
	row[number], row[kind] = report.Number(n), report.Text(string(f.Kind)).Marked(mark(f.Kind))
	if len(f.Cables) > 0 {
		planned(row, f.Cables)
	}
	if f.Rule != nil {
		row[where], row[label] = report.Text(f.Rule.Where), report.Cell{}
	}
	if len(f.Links) > 0 {
		l := f.Links[0]
		if len(f.Cables) == 0 {
			row[aName], row[aPort] = report.Text(name(l.A.Node())), report.Text(fmt.Sprint(l.A.Num()))
			row[bName], row[bPort] = report.Text(name(l.B.Node())), report.Text(fmt.Sprint(l.B.Num()))
			row[aGUID], row[bGUID] = report.GUID(l.A.Node().GUID()), report.GUID(l.B.Node().GUID())
		} else if f.Kind != verify.WrongRate {
			row[aNow] = report.Text(fmt.Sprintf("%s %d", name(l.A.Node()), l.A.Num()))
			row[bNow] = report.Text(fmt.Sprintf("%s %d", name(l.B.Node()), l.B.Num()))
		}
	}
	if f.Node != nil && len(f.Cables)+len(f.Links) == 0 {
		row[aName], row[aGUID] = report.Text(name(f.Node)), report.GUID(f.Node.GUID())
	}
	r.Table.Rows = append(r.Table.Rows, row)
	r.Details[0].Rows = append(r.Details[0].Rows, work(n, f))
}

// planned fills in the columns of the first planned cable.
func planned(row []report.Cell, list []*verify.Cable) {
	c := list[0]
	row[label], row[where], row[cables] = report.Text(c.Label), report.Text(c.Where), report.Number(len(list))
	for _, end := range []struct {
		e                verify.End
		name, port, guid int
	}{{c.A, aName, aPort, aGUID}, {c.B, bName, bPort, bGUID}} {
		text := end.e.Name
		if text == "" {
			text = end.e.GUID.String()
		}
		port := end.e.Cage
		if end.e.Port > 0 {
			port = fmt.Sprint(end.e.Port)
		}
		row[end.name], row[end.port], row[end.guid] = report.Text(text), report.Text(port), report.GUID(end.e.GUID)
	}
}

// work is what to do about a finding.
func work(n int, f *verify.Finding) []report.Cell {
	title := fmt.Sprintf("%d. %s", n, f.Kind)
	if f.Rule != nil {
		title += ": " + f.Rule.Text
	}
	row := []report.Cell{report.Number(n).As(title), report.Text(f.What), {}, {}, {}}
	for i, step := range f.Do {
		if i == maxSteps-1 {
			step = strings.Join(f.Do[i:], " ")
		}
		row[2+i] = report.Text(step)
		if i == maxSteps-1 {
			break
		}
	}
	return row
}

func mark(k verify.Kind) report.Mark {
	switch k {
	case verify.WrongRate, verify.Extra, verify.Replaced:
		return report.Warning
	}
	return report.Bad
}
