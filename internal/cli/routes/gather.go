package routes

import (
	"context"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/fabric/verify"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
	"github.com/ibscope/ibscope/survey"
)

// examined is a fabric with what its tables do.
type examined struct {
	*route.Examination
	f     *fabric.Fabric
	name  func(*fabric.Node) string
	early error
	r     *report.Report
	lanes *onLanes // nil where they were not looked at
}

// examine reads the tables and follows them, makes the frame of a report, and prints
// what fill makes of it.
func (s *settings) examine(ctx context.Context, e *env.Env, r *report.Report, fill func(*examined)) error {
	if err := s.print.Check(r.Table.Columns); err != nil {
		return err
	}
	nameMap, err := names.Load(e, s.nameMap)
	if err != nil {
		return env.Exitf(env.Failed, "--node-name-map: %w", err)
	}
	return s.sweep.Visit(ctx, e, func(ctx context.Context, v *sweep.Visited) error {
		x := &examined{f: v.Fabric, early: v.Early, r: r, name: verify.Names(v.Fabric, names.Of(nameMap))}
		r.Source, r.Started = v.URI, v.Fabric.Sweep().Started
		r.Problems = report.Problems(v.Fabric.Problems())
		var unread []fabric.Problem
		if v.Snapshot != nil {
			unread = survey.RouteProblems(v.Snapshot)
		}
		if v.Client != nil && v.Early == nil {
			shot, err := survey.Take(ctx, v.Client, v.Fabric, &survey.Options{Routes: true})
			x.early, unread = err, shot.Problems
		}
		r.Problems = append(r.Problems, report.Problems(unread)...)
		tables, _ := route.TablesOf(v.Fabric, unread...)
		if len(tables) == 0 {
			return env.Exitf(env.Failed, "%s has no forwarding tables%s", v.URI, hint(v))
		}
		x.Examination = route.Examine(v.Fabric, tables, nil)
		for _, sw := range x.Unread {
			r.Problems = append(r.Problems, report.Problem{
				Kind: fabric.NoReply, Loss: true, GUID: sw.GUID(), Message: "the forwarding table of " + x.name(sw) + " is not known",
			})
		}
		if s.lanes && x.early == nil {
			if err := x.readLanes(ctx, v); err != nil {
				return err
			}
		}
		fill(x)
		return s.print.Print(e, r)
	})
}

func hint(v *sweep.Visited) string {
	switch {
	case !hasSwitch(v.Fabric):
		return ": it has no switch"
	case v.Client != nil:
		return ": none could be read"
	}
	return "; a snapshot of \"ibscope snapshot --routes\" has"
}

func hasSwitch(f *fabric.Fabric) bool {
	for range f.Switches() {
		return true
	}
	return false
}
