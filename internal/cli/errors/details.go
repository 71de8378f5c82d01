package errors

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/explain"
	"github.com/ibscope/ibscope/internal/cli/report"
)

// explanations are those of the counters that were found, in the order of the
// findings.
func (f *finder) explanations() report.Table {
	t := report.Table{
		Name: "explanations", Title: "What the counters mean",
		Columns: []report.Column{
			{Name: "counter", Title: "Counter"},
			{Name: "severity", Title: "Severity", Hidden: true},
			{Name: "meaning", Title: "Means"},
			{Name: "cause", Title: "Cause"},
			{Name: "action", Title: "To do"},
		},
	}
	var told counters.Set
	for i := range f.findings {
		c := f.findings[i].counter
		if told.Has(c) {
			continue
		}
		told |= counters.SetOf(c)
		x := explain.Of(c)
		t.Rows = append(t.Rows, []report.Cell{
			report.Text(c.String()), report.Text(x.Severity.String()),
			report.Text(x.Meaning), report.Text(x.Cause), report.Text(x.Action),
		})
	}
	return t
}

// thresholds are those that were used.
func (f *finder) thresholdTable() report.Table {
	t := report.Table{Name: "thresholds", Hidden: true, Columns: []report.Column{{Name: "counter"}, {Name: "threshold"}}}
	for c := range f.limits.Watched().All() {
		n, _ := f.limits.Of(c)
		t.Rows = append(t.Rows, []report.Cell{report.Text(c.String()), report.Number(n)})
	}
	return t
}

// absentTable tells how many ports do not have a counter.
func (f *finder) absentTable() report.Table {
	t := report.Table{Name: "absent", Hidden: true, Columns: []report.Column{{Name: "counter"}, {Name: "ports"}}}
	for c := range f.limits.Watched().All() {
		if n := f.absent[c]; n > 0 {
			t.Rows = append(t.Rows, []report.Cell{report.Text(c.String()), report.Number(n)})
		}
	}
	return t
}

// summarize tells how much was found, and what could not be.
func (f *finder) summarize(r *report.Report, unread int) {
	bySeverity := map[explain.Severity]int{}
	for i := range f.findings {
		bySeverity[f.findings[i].Severity]++
	}
	r.Counts = []report.Count{
		{Name: "findings", N: len(f.findings)},
		{Name: "faults", N: bySeverity[explain.Fault]},
		{Name: "losses", N: bySeverity[explain.Loss]},
		{Name: "signs", N: bySeverity[explain.Sign]},
		{Name: "ports", N: f.ports},
		{Name: "bad_ports", N: f.badPorts},
		{Name: "unread", N: unread},
	}
	r.Summary = fmt.Sprintf("%d ports read: no counter is beyond its threshold", f.ports)
	if len(f.findings) > 0 {
		r.Summary = fmt.Sprintf("%d ports read: on %d of them %d counters are beyond their thresholds (fault %d, loss %d, sign %d)",
			f.ports, f.badPorts, len(f.findings), bySeverity[explain.Fault], bySeverity[explain.Loss], bySeverity[explain.Sign])
	}
	if f.rising {
		r.Summary += "; only those that have counted meanwhile"
	}
	var missing []string
	for c := range f.limits.Watched().All() {
		if n := f.absent[c]; n > 0 {
			missing = append(missing, fmt.Sprintf("%s on %d", c, n))
		}
	}
	if len(missing) > 0 {
		r.Summary += "; absent: " + strings.Join(missing, ", ")
	}
}
