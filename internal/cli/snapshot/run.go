package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/output"
	"github.com/ibscope/ibscope/internal/cli/sweep"
	"github.com/ibscope/ibscope/survey"
)

func (s *settings) run(ctx context.Context, e *env.Env) error {
	o, err := s.options()
	if err != nil {
		return err
	}
	shot, early := s.take(ctx, e, o)
	var refused *env.ExitError
	if errors.As(early, &refused) {
		return refused
	}
	if shot == nil || shot.Fabric.NumNodes() == 0 && early != nil {
		return &env.ExitError{Code: env.Failed, Err: early}
	}
	if shot.Tool == "" {
		shot.Tool = "ibscope " + e.Version
	}
	if err := s.write(e, shot); err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	sweep.Complain(e, problems(shot))
	switch {
	case sweep.IsInterrupted(early):
		return env.Exitf(env.Incomplete, "the reading was ended early, the file holds what was known by then: %w", early)
	case early != nil:
		return &env.ExitError{Code: env.Incomplete, Err: early}
	case !shot.IsComplete():
		return &env.ExitError{Code: env.Incomplete}
	}
	return nil
}

func (s *settings) options() (*survey.Options, error) {
	o := &survey.Options{
		Routes: s.routes || s.all, Counters: s.counters || s.all, Manager: s.sa || s.all,
		Firmware: s.firmware || s.all, SMInfo: true,
		MaxOutstanding: s.MaxOutstanding, MaxPerTarget: s.PerTarget,
	}
	if s.smKey != "" {
		var err error
		if o.SMKey, err = strconv.ParseUint(s.smKey, 0, 64); err != nil {
			return nil, env.Exitf(env.Usage, "--sm-key: expected a number")
		}
	}
	return o, nil
}

// take sweeps and reads the rest; a stored fabric has no rest.
func (s *settings) take(ctx context.Context, e *env.Env, o *survey.Options) (shot *snapshot.Snapshot, err error) {
	if strings.HasPrefix(s.URI(e), "file:") {
		if s.counters || s.routes || s.sa || s.firmware || s.all {
			return nil, env.Exitf(env.Usage, "%s is stored: there is nobody to ask for more than it has", s.URI(e))
		}
		err := s.Visit(ctx, e, func(_ context.Context, v *sweep.Visited) error {
			if shot = v.Snapshot; shot == nil {
				shot = &snapshot.Snapshot{Taken: v.Fabric.Sweep().Started, Fabric: v.Fabric}
			}
			return nil
		})
		return shot, err
	}
	err = s.Gather(ctx, e, func(ctx context.Context, l *sweep.Live) error {
		f, sweepErr := sweep.Walk(ctx, e, l.URI, l.Client, l.Options)
		if f.NumNodes() == 0 || sweepErr != nil {
			shot = &snapshot.Snapshot{Taken: f.Sweep().Started, Fabric: f}
			return sweepErr
		}
		var surveyErr error
		shot, surveyErr = survey.Take(ctx, l.Client, f, o)
		return surveyErr
	})
	return shot, err
}

// write writes the file and prints its name.
func (s *settings) write(e *env.Env, shot *snapshot.Snapshot) error {
	name := s.file
	if name == "" {
		name = e.Now().UTC().Format("fabric-20060102T150405Z.json.gz")
	}
	if err := output.Write(name, e.Stdout, func(w io.Writer) error { return snapshot.Write(w, shot) }); err != nil {
		return err
	}
	if name == "-" {
		return nil
	}
	_, err := fmt.Fprintln(e.Stdout, name)
	return err
}

func problems(shot *snapshot.Snapshot) []fabric.Problem {
	list := append([]fabric.Problem(nil), shot.Fabric.Problems()...)
	if shot.Manager != nil {
		list = append(list, shot.Manager.Problems()...)
	}
	return append(list, shot.Problems...)
}
