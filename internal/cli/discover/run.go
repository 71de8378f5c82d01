package discover

import (
	"context"
	"errors"
	"io"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/cli/output"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

func (s *settings) run(ctx context.Context, e *env.Env) error {
	format, err := findFormat(s.format)
	if err != nil {
		return err
	}
	nameMap, err := names.Load(e, s.nameMap)
	if err != nil {
		return env.Exitf(env.Failed, "--node-name-map: %w", err)
	}
	get := s.Run
	if s.sa {
		get = s.runSA
	}
	f, sweepErr := get(ctx, e)
	var refused *env.ExitError
	if errors.As(sweepErr, &refused) {
		return refused
	}
	if f.NumNodes() == 0 && sweepErr != nil {
		return &env.ExitError{Code: env.Failed, Err: sweepErr}
	}
	j := &job{fabric: f, names: nameMap, colour: s.file == "" && e.Colour(e.Stdout)}
	if err := output.Write(s.file, e.Stdout, func(w io.Writer) error { return format.write(w, j) }); err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	if s.format != "summary" || s.file != "" { // a summary on the screen has them
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
