package health

import (
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	judge "github.com/ibscope/ibscope/fabric/health"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/report"
)

var columns = []report.Column{
	{Name: "severity", Title: "Severity", Help: "critical, error, warning or note"},
	{Name: "kind", Title: "Finding", Help: "what it is, a stable word"},
	{Name: "text", Title: "What", Min: 30, Help: "what it is, in a line"},
	{Name: "count", Title: "Places", Right: true, Rank: 3, Help: "how many places it is about"},
	{Name: "at.name", Title: "At", Min: 12, Rank: 2, Help: "node where it is"},
	{Name: "at.port", Title: "Port", Right: true, Rank: 2, Help: "port there"},
	{Name: "at.label", Title: "Cage", Rank: 5, Help: "what stands beside that port, where it is not the number"},
	{Name: "at.guid", Title: "GUID", Hidden: true, Help: "GUID of the node"},
	{Name: "at.lid", Title: "LID", Right: true, Hidden: true, Help: "LID of the port"},
	{Name: "to.name", Title: "Other end", Min: 12, Rank: 4, Help: "node at the other end, or the other of two"},
	{Name: "to.port", Title: "Port", Right: true, Rank: 4, Help: "port there"},
	{Name: "to.label", Title: "Cage", Rank: 5, Help: "what stands beside that port"},
	{Name: "to.guid", Title: "GUID", Hidden: true, Help: "GUID of that node"},
	{Name: "to.lid", Title: "LID", Right: true, Hidden: true, Help: "LID of that port"},
	{Name: "evidence", Title: "Seen", Min: 20, Rank: 6, Help: "what it rests on"},
	{Name: "remedy", Title: "To do", Min: 20, Rank: 6, Help: "what to do"},
}

func (j *judged) row(f *judge.Finding) []report.Cell {
	mark := map[judge.Severity]report.Mark{judge.Critical: report.Bad, judge.Error: report.Bad, judge.Warning: report.Warning}[f.Severity]
	row := []report.Cell{
		report.Text(f.Severity.String()).Marked(mark), report.Text(string(f.Kind)), report.Text(f.Text), report.Number(f.Count),
	}
	row = append(append(row, j.place(f.At)...), j.place(f.To)...)
	return append(row, report.Text(strings.Join(f.Evidence, "; ")), report.Text(strings.Join(f.Remedy, " ")))
}

// place is the cells of an end.
func (j *judged) place(e judge.End) []report.Cell {
	cells := make([]report.Cell, 5)
	if e.Node == nil {
		return cells
	}
	cells[0], cells[3] = report.Text(j.options.Name(e.Node)), report.GUID(e.Node.GUID())
	cells[4] = report.LID(lidOf(e.Node))
	if e.Port < 0 {
		return cells
	}
	cells[1] = report.Number(e.Port)
	if p := e.PortOf(); p != nil {
		cells[2], cells[4] = report.Text(labelOf(p)), report.LID(p.LID())
	}
	return cells
}

// labelOf is what stands beside a port, "" where that is its number.
func labelOf(p *fabric.Port) string {
	if label := topology.PortLabel(p); label != strconv.Itoa(p.Num()) {
		return label
	}
	return ""
}

func lidOf(n *fabric.Node) ib.LID {
	for p := range n.Ports() {
		if l := p.LID(); l != 0 {
			return l
		}
	}
	return 0
}

// checkTable tells what was looked at.
func (j *judged) checkTable() report.Table {
	t := report.Table{Name: "checks", Title: "Checks", Hidden: true, Columns: []report.Column{
		{Name: "check", Title: "Check"},
		{Name: "looked", Title: "Looked at", Right: true},
		{Name: "what", Title: ""},
		{Name: "findings", Title: "Findings", Right: true},
		{Name: "skipped", Title: "Not done, because"},
	}}
	for i := range j.result.Checks {
		c := &j.result.Checks[i]
		t.Rows = append(t.Rows, []report.Cell{
			report.Text(c.Name), report.Number(c.Looked), report.Text(c.What), report.Number(c.Findings), report.Text(c.Skipped),
		})
	}
	return t
}
