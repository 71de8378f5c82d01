package summary

import (
	"context"
	"errors"
	"io"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format/summary"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/cli/output"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

func (s *settings) run(ctx context.Context, e *env.Env) error {
	if err := s.print.Check(columns); err != nil {
		return err
	}
	if s.limit < 1 {
		return env.Exitf(env.Usage, "--limit %d: expected a number from 1", s.limit)
	}
	nameMap, err := names.Load(e, s.nameMap)
	if err != nil {
		return env.Exitf(env.Failed, "--node-name-map: %w", err)
	}
	f, sweepErr := s.Run(ctx, e)
	var refused *env.ExitError
	if errors.As(sweepErr, &refused) {
		return refused
	}
	if f.NumNodes() == 0 && sweepErr != nil {
		return &env.ExitError{Code: env.Failed, Err: sweepErr}
	}
	o := &summary.Options{
		Colour: s.print.File == "" && e.Colour(e.Stdout), Limit: s.limit, Name: names.Of(nameMap),
		Topology: topology.Classify(f, &topology.Options{CollapseChassis: s.collapse}),
	}
	if err := s.write(e, f, o); err != nil {
		return err
	}
	if s.print.Format != asText || s.print.File != "" { // a text on the screen has them
		sweep.Complain(e, f.Problems())
	}
	switch {
	case sweep.IsInterrupted(sweepErr):
		return env.Exitf(env.Incomplete, "the sweep was ended early, the output is what was known by then: %w", sweepErr)
	case sweepErr != nil:
		return &env.ExitError{Code: env.Incomplete, Err: sweepErr}
	case !f.IsComplete():
		return &env.ExitError{Code: env.Incomplete}
	}
	return nil
}

func (s *settings) write(e *env.Env, f *fabric.Fabric, o *summary.Options) error {
	write := summary.Write
	switch s.print.Format {
	case asJSON:
		write = summary.WriteJSON
	case asText:
	default:
		return s.print.Print(e, table(f, o))
	}
	if err := output.Write(s.print.File, e.Stdout, func(w io.Writer) error { return write(w, f, o) }); err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	return nil
}
