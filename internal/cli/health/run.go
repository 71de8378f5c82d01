package health

import (
	"context"
	"io"
	"strings"

	"github.com/ibscope/ibscope/counters/threshold"
	"github.com/ibscope/ibscope/fabric"
	judge "github.com/ibscope/ibscope/fabric/health"
	"github.com/ibscope/ibscope/fabric/verify"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/measure"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/cli/output"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// judged is a fabric with what was read of it, and what is wrong.
type judged struct {
	*settings
	env     *env.Env
	visited *sweep.Visited
	limits  *threshold.Limits
	options judge.Options
	result  *judge.Report
	lost    []report.Problem // beside those of the fabric
	early   error
}

func (s *settings) run(ctx context.Context, e *env.Env) error {
	if err := s.check(); err != nil {
		return err
	}
	limits, err := measure.Limits(e, s.file, s.thresholds)
	if err != nil {
		return err
	}
	nameMap, err := names.Load(e, s.nameMap)
	if err != nil {
		return env.Exitf(env.Failed, "--node-name-map: %w", err)
	}
	return s.sweep.Visit(ctx, e, func(ctx context.Context, v *sweep.Visited) error {
		j := &judged{settings: s, env: e, visited: v, limits: limits, early: v.Early}
		j.options.Name = verify.Names(v.Fabric, names.Of(nameMap))
		if err := j.gather(ctx); err != nil {
			return err
		}
		j.result = judge.Examine(v.Fabric, &j.options)
		return j.end()
	})
}

// end prints, and gives the error that the command ends with.
func (j *judged) end() error {
	r := j.report()
	if err := j.write(r); err != nil {
		return err
	}
	if err := report.End(j.env, r, j.early); err != nil {
		return err
	}
	switch {
	case j.result.Verdict() != judge.Healthy:
		return &env.ExitError{Code: env.Findings}
	case j.isBlind():
		return env.Exitf(env.Incomplete, "%s tells nothing of the state of links and ports: whether it is healthy is not known", j.visited.URI)
	}
	return nil
}

// isBlind reports whether neither links nor ports could be looked at: an empty fabric,
// or a file that has nodes only.
func (j *judged) isBlind() bool {
	skipped := 0
	for i := range j.result.Checks {
		if c := &j.result.Checks[i]; (c.Name == "states" || c.Name == "ports") && c.Skipped != "" {
			skipped++
		}
	}
	return skipped == 2
}

// verdict is that of what was found, if that means something: where nothing was
// found and not all could be looked at, it is not known.
func (j *judged) verdict() judge.Verdict {
	v := j.result.Verdict()
	if v == judge.Healthy && (j.isBlind() || j.early != nil || len(j.lost) > 0 || len(losses(j.visited.Fabric)) > 0) {
		return judge.Unknown
	}
	return v
}

func (j *judged) write(r *report.Report) error {
	if !j.print.IsOwn() {
		return j.print.Print(j.env, r)
	}
	p := printer{name: j.options.Name, all: j.all}
	if j.print.File == "" || j.print.File == "-" {
		p.width, p.colour = j.env.Columns(j.env.Stdout), j.env.Colour(j.env.Stdout)
	}
	err := output.Write(j.print.File, j.env.Stdout, func(w io.Writer) error {
		p.print(j.visited.Fabric, j.result, r)
		_, err := io.WriteString(w, p.b.String())
		return err
	})
	if err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	return nil
}

// report is the findings as a table.
func (j *judged) report() *report.Report {
	f := j.visited.Fabric
	r := &report.Report{
		Name: "health", Title: "Health", Source: j.visited.URI, Started: f.Sweep().Started,
		Problems: append(losses(f), j.lost...), Verdict: string(j.verdict()),
	}
	r.Table = report.Table{Name: "findings", Columns: columns}
	for i := range j.result.Findings {
		r.Table.Rows = append(r.Table.Rows, j.row(&j.result.Findings[i]))
	}
	r.Details = []report.Table{j.checkTable()}
	for _, s := range []judge.Severity{judge.Critical, judge.Error, judge.Warning, judge.Note} {
		r.Counts = append(r.Counts, report.Count{Name: s.String() + "s", N: j.result.Count(s)})
	}
	r.Counts[0].Name = "critical"
	r.Counts = append(r.Counts, report.Count{Name: "nodes", N: f.NumNodes()}, report.Count{Name: "links", N: numLinks(f)})
	r.Summary = strings.ToUpper(r.Verdict) + ": " + summary(f, j.result)
	return r
}

// losses are the problems of a fabric by which something is missing; the others are
// among the findings.
func losses(f *fabric.Fabric) (list []report.Problem) {
	for _, p := range report.Problems(f.Problems()) {
		if p.Loss {
			list = append(list, p)
		}
	}
	return list
}

func numLinks(f *fabric.Fabric) (n int) {
	for range f.Links() {
		n++
	}
	return n
}
