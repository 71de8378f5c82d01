package errors

import (
	"context"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/measure"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// check finds mistakes of usage.
func (s *settings) check() error {
	if s.interval < 0 {
		return env.Exitf(env.Usage, "--interval %v: expected a time, as 10s", s.interval)
	}
	if s.rising && s.interval == 0 && s.earlier == "" {
		return env.Exitf(env.Usage, "--rising needs two readings: give --interval or --earlier too")
	}
	if s.interval > 0 && s.earlier != "" {
		return env.Exitf(env.Usage, "--interval and --earlier are two ways to get an earlier reading: give one")
	}
	if err := s.print.Check(columns); err != nil {
		return err
	}
	return s.nodes.Check()
}

// finder makes of the flags what looks for errors.
func (s *settings) finder(e *env.Env) (*finder, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	limits, err := measure.Limits(e, s.file, s.thresholds)
	if err != nil {
		return nil, err
	}
	nameMap, err := names.Load(e, s.nameMap)
	if err != nil {
		return nil, env.Exitf(env.Failed, "--node-name-map: %w", err)
	}
	return &finder{settings: s, limits: limits, book: nameMap}, nil
}

func (s *settings) run(ctx context.Context, e *env.Env) error {
	f, err := s.finder(e)
	if err != nil {
		return err
	}
	return s.sweep.Visit(ctx, e, func(ctx context.Context, v *sweep.Visited) error { return f.run(ctx, e, v) })
}

// run reads, prints, and gives the error that the command ends with.
func (f *finder) run(ctx context.Context, e *env.Env, v *sweep.Visited) error {
	f.names = names.In(v.Fabric, f.book)
	readings, err := measure.Read(ctx, v, &measure.Options{
		Want: f.limits.Watched(), Interval: f.interval, Ports: f.chosen(), Wait: f.wait,
	})
	if err != nil {
		return err
	}
	if f.earlier != "" {
		if err := readings.Earlier(f.earlier); err != nil {
			return err
		}
	}
	f.look(readings)
	r := f.report(v, readings)
	if err := f.print.Print(e, r); err != nil {
		return err
	}
	early := v.Early
	if early == nil {
		early = readings.Early
	}
	if err := report.End(e, r, early); err != nil {
		return err
	}
	if len(f.findings) > 0 {
		return &env.ExitError{Code: env.Findings}
	}
	return nil
}

// chosen tells which ports to read: those of the nodes that are chosen, and the
// other ends of their links.
func (f *finder) chosen() func(*fabric.Port) bool {
	nodes := &f.settings.nodes
	if nodes.All() {
		return nil
	}
	has := func(n *fabric.Node) bool { return nodes.Has(n, f.names.All(n)) }
	return func(p *fabric.Port) bool { return has(p.Node()) || p.Remote() != nil && has(p.Remote().Node()) }
}

// report makes the report of what was found.
func (f *finder) report(v *sweep.Visited, readings *measure.Readings) *report.Report {
	r := &report.Report{
		Name: "errors", Title: "Errors", Source: v.URI, Started: v.Fabric.Sweep().Started,
		Problems: append(report.Problems(v.Fabric.Problems()), readings.Problems...),
	}
	r.Table = report.Table{Name: "findings", Columns: columns}
	for i := range f.findings {
		r.Table.Rows = append(r.Table.Rows, f.row(&f.findings[i]))
	}
	if f.explain {
		r.Details = append(r.Details, f.explanations())
	}
	r.Details = append(r.Details, f.thresholdTable(), f.absentTable())
	f.summarize(r, len(readings.Problems))
	return r
}
