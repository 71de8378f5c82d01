package summary

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/summary"
	"github.com/ibscope/ibscope/internal/cli/report"
)

var columns = []report.Column{
	{Name: "section", Title: "Section", Help: "fabric, nodes, topology, tiers, rails, links, problems"},
	{Name: "what", Title: "What", Min: 20, Help: "what is counted"},
	{Name: "count", Title: "Count", Right: true, Help: "how many there are"},
	{Name: "detail", Title: "Detail", Min: 20, Help: "what there is to know of it"},
}

// table is the summary as a report.
func table(f *fabric.Fabric, o *summary.Options) *report.Report {
	s := f.Sweep()
	r := &report.Report{
		Name: "summary", Title: "Summary", Source: s.Source, Started: s.Started,
		Table: report.Table{Name: "lines", Columns: columns}, Problems: report.Problems(f.Problems()),
	}
	for _, l := range summary.Lines(f, o) {
		r.Table.Rows = append(r.Table.Rows, []report.Cell{
			report.Text(l.Section), report.Text(l.What), report.Number(l.Count), report.Text(l.Detail),
		})
	}
	return r
}
