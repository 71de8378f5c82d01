package links

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/counters/threshold"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/measure"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

func (s *settings) run(ctx context.Context, e *env.Env) error {
	if err := s.print.Check(columns); err != nil {
		return err
	}
	if err := s.nodes.Check(); err != nil {
		return err
	}
	nameMap, err := names.Load(e, s.nameMap)
	if err != nil {
		return env.Exitf(env.Failed, "--node-name-map: %w", err)
	}
	return s.sweep.Visit(ctx, e, func(ctx context.Context, v *sweep.Visited) error {
		r, early, err := s.report(ctx, v, names.In(v.Fabric, nameMap))
		if err != nil {
			return err
		}
		if err := s.print.Print(e, r); err != nil {
			return err
		}
		return report.End(e, r, early)
	})
}

// report makes the report. Early is why something is missing from it.
func (s *settings) report(ctx context.Context, v *sweep.Visited, book *names.Book) (r *report.Report, early, err error) {
	l := &lister{settings: s, names: book, places: places{topology.Classify(v.Fabric, &topology.Options{})}, limits: threshold.Default()}
	r = &report.Report{
		Name: "links", Title: "Links", Source: v.URI, Started: v.Fabric.Sweep().Started,
		Problems: report.Problems(v.Fabric.Problems()),
	}
	early = v.Early
	if s.errors {
		hasLink := func(p *fabric.Port) bool { return p.Remote() != nil }
		l.readings, err = measure.Read(ctx, v, &measure.Options{Want: l.limits.Watched(), Ports: hasLink})
		if err != nil {
			return nil, nil, err
		}
		r.Problems = append(r.Problems, l.readings.Problems...)
		if early == nil {
			early = l.readings.Early
		}
	}
	r.Table = report.Table{Name: "links", Columns: s.columns(), Rows: l.list(v.Fabric)}
	l.summarize(r)
	return r, early, nil
}

// columns are those of the report, ranked by what was asked for: the physical state
// of links that are down, or errors, tell more than what a link could be.
func (s *settings) columns() []report.Column {
	own := slices.Clone(columns)
	if s.down || s.errors {
		own[best].Rank = own[degraded].Rank
	}
	if s.down {
		own[physState].Rank = 0
	}
	if s.errors {
		own[aErrors].Rank, own[bErrors].Rank = 0, 0
	}
	return own
}

// summarize tells how many links there are of each kind.
func (l *lister) summarize(r *report.Report) {
	c := &l.counts
	r.Counts = []report.Count{
		{Name: "listed", N: len(r.Table.Rows)},
		{Name: "links", N: c.total},
		{Name: "active", N: c.active},
		{Name: "down", N: c.down},
		{Name: "degraded", N: c.degraded},
		{Name: "unlinked_ports", N: c.unlinked},
	}
	words := []string{fmt.Sprintf("%d active", c.active)}
	add := func(n int, what string) {
		if n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(c.other, "coming up")
	add(c.down, "down")
	add(c.total-c.active-c.other-c.down, "in a state that is not known")
	add(c.degraded, "degraded")
	if l.readings != nil {
		r.Counts = append(r.Counts, report.Count{Name: "with_errors", N: c.bad})
		words = append(words, fmt.Sprintf("%d with errors", c.bad))
	}
	r.Summary = fmt.Sprintf("%d of %d links listed: %s", len(r.Table.Rows), c.total, strings.Join(words, ", "))
	if len(r.Table.Rows) == c.total && !l.filtered() {
		r.Summary = fmt.Sprintf("%d links: %s", c.total, strings.Join(words, ", "))
	}
	if c.unlinked > 0 {
		r.Summary += fmt.Sprintf("; ports down without a peer: %d", c.unlinked)
	}
}

// filtered reports whether a filter was given.
func (s *settings) filtered() bool {
	return s.down || s.degraded || s.errors || s.tier >= 0 || s.between != "" || !s.nodes.All()
}
