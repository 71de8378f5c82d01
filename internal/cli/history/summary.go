package history

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/past"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/service/history"
)

// summary prints what there is.
func summary(ctx context.Context, e *env.Env, from *past.Flags, print *report.Flags) error {
	if err := print.Check(summaryColumns); err != nil {
		return err
	}
	db, err := from.Open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	s, err := db.Summary(ctx)
	if err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	r := summaryReport(s, from.Fabric)
	if from.Fabric != "" && len(r.Table.Rows) == 0 {
		return env.Exitf(env.Failed, "%s has nothing of a fabric %q", s.Path, from.Fabric)
	}
	return print.Print(e, r)
}

func summaryReport(s *history.Summary, only string) *report.Report {
	r := &report.Report{
		Name: "history", Title: "History", Source: s.Path,
		Table: report.Table{Name: "stored", Columns: summaryColumns},
	}
	kinds := report.Table{Name: "events", Columns: kindColumns, Hidden: true}
	events, states, fabrics := 0, 0, 0
	for i := range s.Fabrics {
		f := &s.Fabrics[i]
		if only != "" && f.Name != only {
			continue
		}
		fabrics++
		states += f.Snapshots
		r.Table.Rows = append(r.Table.Rows, fabricRows(f)...)
	}
	for i := range s.Events {
		v := &s.Events[i]
		if only != "" && v.Fabric != only {
			continue
		}
		events += v.Count
		r.Table.Rows = append(r.Table.Rows, storedRow(v.Fabric, "events "+string(v.Kind), v.Count, v.First, v.Last))
		kinds.Rows = append(kinds.Rows, []report.Cell{
			report.Text(v.Fabric), report.Text(string(v.Kind)), report.Number(v.Count), report.Time(v.First), report.Time(v.Last),
		})
	}
	r.Details = []report.Table{kinds}
	r.Counts = []report.Count{{Name: "fabrics", N: fabrics}, {Name: "states", N: states}, {Name: "events", N: events}, {Name: "file_bytes", N: int(s.Bytes)}}
	r.Summary = fmt.Sprintf("%s: %s; %s, %s, %s", s.Path, size(s.Bytes), several(fabrics, "fabric"), several(states, "state"), several(events, "event"))
	return r
}

func several(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// fabricRows are the rows of a fabric but for its events.
func fabricRows(f *history.FabricSummary) (rows [][]report.Cell) {
	if f.Snapshots > 0 {
		row := storedRow(f.Name, "states", f.Snapshots, f.First, f.Until)
		row[sumBytes], row[sumWhole] = bytesCell(f.SnapshotBytes), report.Number(f.Whole)
		rows = append(rows, row)
	}
	for _, rates := range f.Rates {
		row := storedRow(f.Name, "rates of "+interval(rates.Interval), rates.Times, rates.First, rates.Last)
		row[sumBytes] = bytesCell(rates.Bytes)
		if rates.Interval > 0 {
			row[sumInterval] = report.Decimal(rates.Interval.Seconds(), 0)
		}
		rows = append(rows, row)
	}
	return rows
}

func storedRow(fabric, what string, count int, first, last time.Time) []report.Cell {
	row := make([]report.Cell, numSummary)
	row[sumFabric], row[sumWhat], row[sumCount] = report.Text(fabric), report.Text(what), report.Number(count)
	row[sumFirst], row[sumLast] = second(first), second(last)
	return row
}

// second is a time that people see to the second.
func second(t time.Time) report.Cell { return report.Time(t).As(t.UTC().Format("2006-01-02 15:04:05")) }

// interval is a length of time in words.
func interval(d time.Duration) string {
	switch d {
	case 0:
		return "passes"
	case time.Hour:
		return "hours"
	case 24 * time.Hour:
		return "days"
	}
	return strings.TrimSuffix(d.String(), "m0s") + " minutes"
}

func bytesCell(n int64) report.Cell { return report.Number(uint64(n)).As(size(n)) }

// size is a number of bytes for people.
func size(n int64) string { return scaled(float64(n)) + "B" }

// scaled is a number with three digits and a unit: 1.23 G.
func scaled(v float64) string {
	units := []string{"", "k", "M", "G", "T", "P"}
	i := 0
	for ; v >= 999.5 && i < len(units)-1; i++ {
		v /= 1000
	}
	switch {
	case i == 0 && v == float64(int64(v)), v >= 99.95:
		return fmt.Sprintf("%.0f %s", v, units[i])
	case v >= 9.995:
		return fmt.Sprintf("%.1f %s", v, units[i])
	}
	return fmt.Sprintf("%.2f %s", v, units[i])
}
