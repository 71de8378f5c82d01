package simbench

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"testing"
	"time"

	"github.com/ibscope/ibscope/fabric"
)

// Row is what one policy made of one case.
type Row struct {
	Case
	Policy string
	Result
	Bound time.Duration // LowerBound of the case; 0 where something is dead or gets lost
}

// Measure runs a policy on a case, in virtual time.
func Measure(t *testing.T, model *fabric.Fabric, c Case, p Policy) Row {
	t.Helper()
	o := c.Options(model, 1)
	row := Row{Case: c, Policy: p.Name, Result: Sweep(t, Setup{Model: model, Sim: o, Run: p.Run, NoTrace: true})}
	row.Result.Fabric = nil // of which there may be thousands
	if c.Dead == 0 && c.Loss == 0 {
		row.Bound = LowerBound(model, &o)
	}
	return row
}

// Completeness is the share of nodes and links that were found.
func (r *Row) Completeness() float64 {
	all := r.Nodes + r.Links
	return float64(all-r.MissingNodes-r.MissingLinks) / float64(all)
}

func (r *Row) String() string {
	s := fmt.Sprintf("%v: %s: %v, %d SMPs, %d dropped, %d lost, %.2f %% found", r.Case, r.Policy, r.Duration, r.Stats.Sent, r.Stats.Dropped, r.Stats.Lost, 100*r.Completeness())
	if r.Bound > 0 {
		s += fmt.Sprintf(", bound %v", r.Bound)
	}
	return s
}

// columns are the columns of the table, with what a row has in each.
var columns = []struct {
	name string
	cell func(*Row) string
}{
	{"fabric", func(r *Row) string { return r.Case.Fabric }},
	{"nodes", func(r *Row) string { return strconv.Itoa(r.Nodes) }},
	{"sma_us", func(r *Row) string { return micro(r.SMA) }},
	{"queue", func(r *Row) string { return strconv.Itoa(r.Queue) }},
	{"dead", func(r *Row) string { return strconv.Itoa(r.Dead) }},
	{"loss_percent", func(r *Row) string { return strconv.FormatFloat(100*r.Loss, 'g', 4, 64) }},
	{"policy", func(r *Row) string { return r.Policy }},
	{"time_us", func(r *Row) string { return micro(r.Duration) }},
	{"bound_us", func(r *Row) string { return micro(r.Bound) }},
	{"smps", func(r *Row) string { return strconv.FormatUint(r.Stats.Sent, 10) }},
	{"dropped", func(r *Row) string { return strconv.FormatUint(r.Stats.Dropped, 10) }},
	{"lost", func(r *Row) string { return strconv.FormatUint(r.Stats.Lost, 10) }},
	{"max_queue", func(r *Row) string { return strconv.Itoa(r.Stats.MaxQueue) }},
	{"missing_nodes", func(r *Row) string { return strconv.Itoa(r.MissingNodes) }},
	{"missing_links", func(r *Row) string { return strconv.Itoa(r.MissingLinks) }},
	{"found_percent", func(r *Row) string { return strconv.FormatFloat(100*r.Completeness(), 'f', 3, 64) }},
}

func micro(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Microsecond), 'f', 1, 64)
}

// Table writes rows as CSV, each as soon as it is there.
type Table struct{ w *csv.Writer }

// NewTable begins a table.
func NewTable(w io.Writer) (*Table, error) {
	t := &Table{csv.NewWriter(w)}
	var names []string
	for _, c := range columns {
		names = append(names, c.name)
	}
	return t, t.write(names)
}

// Add writes a row.
func (t *Table) Add(r *Row) error {
	var cells []string
	for _, c := range columns {
		cells = append(cells, c.cell(r))
	}
	return t.write(cells)
}

func (t *Table) write(cells []string) error {
	if err := t.w.Write(cells); err != nil {
		return err
	}
	t.w.Flush()
	return t.w.Error()
}
