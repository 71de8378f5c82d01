package draw

import (
	"context"
	"io"
	"math"

	"github.com/ibscope/ibscope/counters/threshold"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/layout"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format/drawing"
	"github.com/ibscope/ibscope/format/page"
	"github.com/ibscope/ibscope/format/png"
	"github.com/ibscope/ibscope/format/svg"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/measure"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/cli/output"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

func (s *settings) run(ctx context.Context, e *env.Env) error {
	if err := s.check(); err != nil {
		return err
	}
	if s.format == "png" && s.file == "" && e.IsTerminal(e.Stdout) {
		return env.Exitf(env.Usage, "a PNG is nothing for a terminal: give it a name with --output-file")
	}
	nameMap, err := names.Load(e, s.nameMap)
	if err != nil {
		return env.Exitf(env.Failed, "--node-name-map: %w", err)
	}
	return s.sweep.Visit(ctx, e, func(ctx context.Context, v *sweep.Visited) error {
		o := &drawing.Options{Title: s.title, Name: names.Of(nameMap), Layout: layout.Options{Collapse: collapseOf[s.collapse]}}
		if o.Title == "" {
			o.Title = v.URI
		}
		r := &report.Report{Problems: report.Problems(v.Fabric.Problems())}
		early := v.Early
		if s.colour == "errors" {
			readings, err := s.errors(ctx, v, o)
			if err != nil {
				return err
			}
			r.Problems = append(r.Problems, readings.Problems...)
			if early == nil {
				early = readings.Early
			}
		}
		if err := output.Write(s.file, e.Stdout, func(w io.Writer) error { return s.write(w, v.Fabric, o) }); err != nil {
			return &env.ExitError{Code: env.Failed, Err: err}
		}
		return report.End(e, r, early)
	})
}

func (s *settings) write(w io.Writer, f *fabric.Fabric, o *drawing.Options) error {
	t := topology.Classify(f, &topology.Options{})
	switch s.format {
	case "html":
		return page.Write(w, f, t, o)
	case "png":
		return png.Write(w, drawing.New(f, t, o))
	}
	return svg.Write(w, drawing.New(f, t, o))
}

// errors reads the counters, and makes the picture show them.
func (s *settings) errors(ctx context.Context, v *sweep.Visited, o *drawing.Options) (*measure.Readings, error) {
	watched := threshold.Default().Watched()
	hasLink := func(p *fabric.Port) bool { return p.Remote() != nil }
	readings, err := measure.Read(ctx, v, &measure.Options{Want: watched, Ports: hasLink})
	if err != nil {
		return nil, err
	}
	o.Errors = func(p *fabric.Port) (uint64, bool) {
		r := readings.Of(p)
		if r == nil || r.Last.Has&watched == 0 {
			return 0, false
		}
		sum := uint64(0)
		for c := range (r.Last.Has & watched).All() {
			n := r.Last.Values[c]
			if sum += n; sum < n {
				return math.MaxUint64, true
			}
		}
		return sum, true
	}
	return readings, nil
}
