package routes

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/report"
)

var loadColumns = []report.Column{
	{Name: "from.name", Title: "From", Min: 16, Help: "switch at which packets leave"},
	{Name: "from.port", Title: "Port", Right: true, Help: "its port"},
	{Name: "to.name", Title: "To", Min: 16, Help: "switch at which they arrive"},
	{Name: "to.port", Title: "Port", Right: true, Help: "its port"},
	{Name: "lids", Title: "LIDs", Right: true, Help: "LIDs of adapters that are reached by the link"},
	{Name: "flows", Title: "Flows", Right: true, Help: "pairs of an adapter and a LID that use it, if all send to all"},
	{Name: "from.guid", Title: "GUID", Hidden: true, Help: "GUID of the switch at which packets leave"},
	{Name: "to.guid", Title: "GUID", Hidden: true, Help: "GUID of the switch at which they arrive"},
}

var tierColumns = []report.Column{
	{Name: "tiers", Title: ""},
	{Name: "links", Title: "links"},
	{Name: "flows", Title: "flows of a link"},
	{Name: "busiest", Title: "busiest"},
}

func (s *settings) load(ctx context.Context, e *env.Env) error {
	r := &report.Report{Name: "routes-load", Title: "Load of links", Table: report.Table{Name: "links", Columns: loadColumns}}
	var early error
	err := s.examine(ctx, e, r, func(x *examined) {
		early = x.early
		idle := 0
		for i := range x.Links {
			l := &x.Links[i]
			if l.Flows == 0 {
				idle++
			}
			from, to := l.Port, l.Port.Remote()
			r.Table.Rows = append(r.Table.Rows, []report.Cell{
				report.Text(x.name(from.Node())), report.Number(from.Num()), report.Text(x.name(to.Node())), report.Number(to.Num()),
				report.Number(l.LIDs), report.Number(int(l.Flows)), report.GUID(from.Node().GUID()), report.GUID(to.Node().GUID()),
			})
		}
		r.Counts = []report.Count{{Name: "directions", N: len(x.Links)}, {Name: "idle", N: idle}}
		r.Summary = fmt.Sprintf("%d directions of links between switches, %d without any flow", len(x.Links), idle)
	})
	if err != nil {
		return err
	}
	return report.End(e, r, early)
}

// tiers adds how evenly the links between tiers are used.
func (x *examined) tiers() {
	for _, t := range x.Tiers(x.f) {
		direction := "up"
		switch {
		case t.To < t.From:
			direction = "down"
		case t.To == t.From:
			direction = "within"
		}
		links := fmt.Sprint(t.Links)
		if t.Idle > 0 {
			links += fmt.Sprintf(", %d without any flow", t.Idle)
		}
		busiest := ""
		if t.Most > t.Least {
			busiest = fmt.Sprintf("%s to %s", x.hop(t.Busiest.Node(), t.Busiest.Num()), x.name(t.Busiest.Remote().Node()))
		}
		x.r.Details[1].Rows = append(x.r.Details[1].Rows, []report.Cell{
			report.Text(fmt.Sprintf("tier %d to %d, %s", t.From, t.To, direction)), report.Text(links),
			report.Text(fmt.Sprintf("%d to %d, mean %.1f, deviation %.1f", t.Least, t.Most, t.Mean, t.Deviation)), report.Text(busiest),
		})
	}
}
