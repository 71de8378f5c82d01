package trace

import (
	"context"
	"strings"

	"github.com/ibscope/ibscope/counters/threshold"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/fabric/verify"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/measure"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
	"github.com/ibscope/ibscope/survey"
)

func (s *settings) run(ctx context.Context, e *env.Env, from, to string) error {
	if err := s.print.Check(columns); err != nil {
		return err
	}
	nameMap, err := names.Load(e, s.nameMap)
	if err != nil {
		return env.Exitf(env.Failed, "--node-name-map: %w", err)
	}
	own := names.Of(nameMap)
	return s.sweep.Visit(ctx, e, func(ctx context.Context, v *sweep.Visited) error {
		if s.live && v.Client == nil {
			return env.Exitf(env.Usage, "--live: %s is stored, there is nobody to ask", v.URI)
		}
		find := newFinder(v.Fabric, own)
		a, err := find.port(from)
		if err != nil {
			return err
		}
		b, err := find.port(to)
		if err != nil {
			return err
		}
		if b.LID() == 0 {
			return env.Exitf(env.Failed, "%q has no LID: no packet can go there", to)
		}
		j := &job{settings: s, v: v, from: a, to: b}
		j.name = verify.Names(v.Fabric, own)
		j.several = b.LMC() > 0
		return j.run(ctx, e)
	})
}

// job is a trace under way.
type job struct {
	*settings
	tracer
	v        *sweep.Visited
	from, to *fabric.Port

	outcomes []string
	failed   bool
	problems []report.Problem
	early    error
}

func (j *job) run(ctx context.Context, e *env.Env) error {
	j.early = j.v.Early
	var err error
	if j.live {
		err = j.runLive(ctx)
	} else {
		err = j.follow(ctx)
	}
	if err != nil {
		return err
	}
	r := &report.Report{
		Name: "trace", Title: "Ways", Source: j.v.URI, Started: j.v.Fabric.Sweep().Started,
		Table:   report.Table{Name: "hops", Columns: columns, Rows: j.rows},
		Counts:  []report.Count{{Name: "ways", N: len(j.outcomes)}},
		Summary: strings.Join(j.outcomes, "; "), Problems: j.problems,
	}
	if err := j.print.Print(e, r); err != nil {
		return err
	}
	if err := report.End(e, r, j.early); err != nil {
		return err
	}
	if j.failed {
		return &env.ExitError{Code: env.Findings}
	}
	return nil
}

// follow follows the tables on the map to each LID.
func (j *job) follow(ctx context.Context) error {
	var lost []fabric.Problem
	if j.v.Snapshot != nil {
		lost = survey.RouteProblems(j.v.Snapshot)
	}
	stored, unread := route.TablesOf(j.v.Fabric, lost...)
	if j.v.Client == nil && len(stored) == 0 && len(unread) > 0 {
		return env.Exitf(env.Failed, "%s has no forwarding tables; a snapshot of \"ibscope snapshot --routes\" has", j.v.URI)
	}
	var ways []*route.Way
	for i := range 1 << j.to.LMC() {
		lid := j.to.LID() + ib.LID(i)
		if j.v.Client == nil {
			ways = append(ways, route.Follow(stored, j.from, lid))
			continue
		}
		l := &lazy{ctx: ctx, client: j.v.Client, lid: lid, read: map[*fabric.Node]uint8{}}
		ways = append(ways, route.Follow(l, j.from, lid))
		j.problems = append(j.problems, l.problems...)
	}
	if err := j.measure(ctx, ways); err != nil {
		return err
	}
	for _, w := range ways {
		j.way(w)
		j.outcomes = append(j.outcomes, j.outcome(w))
		j.failed = j.failed || w.End != route.Arrives
	}
	return nil
}

// measure reads the errors of the ports on ways, if that is asked for.
func (j *job) measure(ctx context.Context, ways []*route.Way) (err error) {
	if !j.counters {
		return nil
	}
	on := map[*fabric.Port]bool{}
	for _, w := range ways {
		for _, s := range w.Steps {
			on[s.In], on[s.OutPort()] = true, true
		}
	}
	delete(on, nil)
	j.readings, err = measure.Read(ctx, j.v, &measure.Options{
		Want: threshold.Default().Watched(), Ports: func(p *fabric.Port) bool { return on[p] },
	})
	if err != nil {
		return err
	}
	j.problems = append(j.problems, j.readings.Problems...)
	if j.early == nil {
		j.early = j.readings.Early
	}
	return nil
}
