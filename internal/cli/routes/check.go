package routes

import (
	"context"
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/report"
)

var findingColumns = []report.Column{
	{Name: "number", Title: "#", Right: true, Help: "number of the finding, below which its way is"},
	{Name: "kind", Title: "Finding", Help: "no-route, black-hole, wrong-end, loop, no-lid, credit-loop; with --lanes possible-credit-loop, no-lane"},
	{Name: "at.name", Title: "At", Min: 16, Help: "node where it is"},
	{Name: "at.port", Title: "Port", Right: true, Help: "port that packets are sent to there"},
	{Name: "lids", Title: "LIDs", Right: true, Help: "LIDs that are not reached"},
	{Name: "ways", Title: "Ways", Right: true, Rank: 2, Help: "ways that end there, from switches with adapters; of a credit loop its links"},
	{Name: "first.lid", Title: "First", Unit: "LID", Right: true, Rank: 1, Help: "the first of the LIDs"},
	{Name: "first.name", Title: "Destination", Min: 16, Rank: 3, Help: "who has it"},
	{Name: "at.guid", Title: "GUID", Hidden: true, Help: "GUID of the node where it is"},
	{Name: "all_lids", Title: "All LIDs", Hidden: true, Help: "all of the LIDs, as ranges"},
}

var wayColumns = []report.Column{
	{Name: "number", Title: ""},
	{Name: "from", Title: "from"},
	{Name: "to", Title: "to"},
	{Name: "hops", Title: "hops"},
	{Name: "end", Title: "end"},
}

// maxWays bounds the ways that are printed.
const maxWays = 100

func (s *settings) check(ctx context.Context, e *env.Env) error {
	r := &report.Report{
		Name: "routes", Title: "Forwarding tables", Table: report.Table{Name: "findings", Columns: findingColumns},
		Details: []report.Table{
			{Name: "ways", Title: "Ways", Columns: wayColumns},
			{Name: "tiers", Title: "Load between tiers", Columns: tierColumns},
		},
	}
	found := false
	var early error
	err := s.examine(ctx, e, r, func(x *examined) {
		x.findings()
		x.tiers()
		x.summarize()
		found, early = len(r.Table.Rows) > 0, x.early
	})
	if err != nil {
		return err
	}
	if err := report.End(e, r, early); err != nil {
		return err
	}
	if found {
		return &env.ExitError{Code: env.Findings}
	}
	return nil
}

func (x *examined) findings() {
	for i := range x.Troubles {
		if t := &x.Troubles[i]; t.End != route.Unread {
			x.trouble(t)
		}
	}
	for _, p := range x.NoLID {
		x.row("no-lid", p.Node(), p.Num(), nil, 0)
		x.way(p, "", x.hop(p.Node(), p.Num()), "the subnet manager has not given it a LID")
	}
	for _, loop := range x.Loops {
		if x.lanes != nil {
			x.laneLoop("credit-loop", loop, "wait for each other in a circle, on these virtual lanes")
		} else {
			x.creditLoop(loop)
		}
	}
	x.laneFindings()
}

func (x *examined) row(kind string, at *fabric.Node, port int, lids []ib.LID, ways int) {
	row := []report.Cell{
		report.Number(len(x.r.Table.Rows) + 1), report.Text(kind).Marked(report.Bad), report.Text(x.name(at)),
		{},
		{},
		{},
		{},
		{},
		report.GUID(at.GUID()), report.Text(ranges(lids)),
	}
	if port >= 0 {
		row[3] = report.Number(port)
	}
	if len(lids) > 0 {
		row[4], row[6], row[7] = report.Number(len(lids)), report.LID(lids[0]), report.Text(x.owner(lids[0]))
	}
	if ways > 0 {
		row[5] = report.Number(ways)
	}
	x.r.Table.Rows = append(x.r.Table.Rows, row)
}

// way adds the way of the last row.
func (x *examined) way(from *fabric.Port, to, hops, end string) {
	n := len(x.r.Table.Rows)
	if n > maxWays {
		return
	}
	start := report.Cell{}
	if from != nil {
		start = report.Text(fmt.Sprintf("%s port %d", x.name(from.Node()), from.Num()))
	}
	x.r.Details[0].Rows = append(x.r.Details[0].Rows, []report.Cell{
		report.Number(n).As(fmt.Sprintf("Finding %d", n)), start, report.Text(to), report.Text(hops), report.Text(end),
	})
}

func (x *examined) trouble(t *route.Trouble) {
	x.row(string(t.End), t.At, t.Out, t.LIDs, t.Ways)
	if t.Way != nil {
		x.way(t.Way.From, x.destination(t.Way.LID), x.hops(t.Way), t.Text(x.name))
	}
}

// hops is a way in one line: "node1[1] leaf01[9] spine03[2] leaf02".
func (x *examined) hops(w *route.Way) string {
	var list []string
	for _, s := range w.Steps {
		list = append(list, x.hop(s.Node, s.Out))
	}
	return strings.Join(list, " → ")
}

func (x *examined) hop(n *fabric.Node, out int) string {
	if out < 0 {
		return x.name(n)
	}
	return fmt.Sprintf("%s[%d]", x.name(n), out)
}

func (x *examined) creditLoop(loop []route.Wait) {
	first := loop[0].Port
	x.row("credit-loop", first.Node(), first.Num(), nil, len(loop))
	var list []string
	for _, w := range loop {
		list = append(list, fmt.Sprintf("%s (to LID %d)", x.hop(w.Port.Node(), w.Port.Num()), w.LID))
	}
	x.way(nil, "", strings.Join(list, " → "), route.LoopText(loop))
}

func (x *examined) owner(lid ib.LID) string {
	if p, ok := x.f.PortByLID(lid); ok {
		return x.name(p.Node())
	}
	return ""
}

func (x *examined) destination(lid ib.LID) string {
	return strings.TrimSpace(fmt.Sprintf("LID %d %s", lid, x.owner(lid)))
}

// ranges writes sorted LIDs as "3-7,12".
func ranges(lids []ib.LID) string {
	var b strings.Builder
	for i := 0; i < len(lids); {
		j := i
		for j+1 < len(lids) && lids[j+1] == lids[j]+1 {
			j++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%d", lids[i])
		if j > i {
			fmt.Fprintf(&b, "-%d", lids[j])
		}
		i = j + 1
	}
	return b.String()
}

func (x *examined) summarize() {
	ways, unknown := 0, 0
	for i := range x.Troubles {
		if x.Troubles[i].End == route.Unread {
			unknown += x.Troubles[i].Ways
		} else {
			ways += x.Troubles[i].Ways
		}
	}
	x.r.Counts = []report.Count{
		{Name: "findings", N: len(x.r.Table.Rows)},
		{Name: "switches_with_adapters", N: x.Sources},
		{Name: "lids", N: x.LIDs},
		{Name: "ways", N: x.Ways},
		{Name: "ways_that_end_early", N: ways},
		{Name: "ways_not_known", N: unknown},
		{Name: "credit_loops", N: len(x.Loops)},
	}
	x.r.Counts = append(x.r.Counts, x.laneCounts()...)
	x.r.Summary = fmt.Sprintf("%d ways from %d switches to %d LIDs: all arrive, no credit loop", x.Ways, x.Sources, x.LIDs)
	if ways > 0 || unknown > 0 || len(x.r.Table.Rows) > 0 {
		x.r.Summary = fmt.Sprintf("%d ways from %d switches to %d LIDs: %d do not arrive, credit loops: %d",
			x.Ways, x.Sources, x.LIDs, ways, len(x.Loops))
	}
	x.r.Summary += x.laneSummary()
	if unknown > 0 {
		x.r.Summary += fmt.Sprintf("; %d ways are not known, for tables that could not be read", unknown)
	}
}
