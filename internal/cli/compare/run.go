package compare

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/discover/saview"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/diff"
	"github.com/ibscope/ibscope/format/fabricdiff"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

func (s *settings) run(ctx context.Context, e *env.Env) error {
	if err := s.print.Check(); err != nil {
		return err
	}
	if s.From != "" || s.MaxHops != 0 {
		return env.Exitf(env.Usage, "the subnet manager tells of the whole subnet: --from and --max-hops do not go with it")
	}
	key := uint64(0)
	if s.smKey != "" {
		var err error
		if key, err = strconv.ParseUint(s.smKey, 0, 64); err != nil {
			return env.Exitf(env.Usage, "--sm-key: expected a number")
		}
	}
	nameMap, err := names.Load(e, s.nameMap)
	if err != nil {
		return env.Exitf(env.Failed, "--node-name-map: %w", err)
	}
	v := views{smKey: key}
	if err := v.gather(ctx, e, &s.Flags); err != nil {
		return err
	}
	r := &fabricdiff.Report{
		A:       fabricdiff.Side{Name: "the sweep", Fabric: v.swept},
		B:       fabricdiff.Side{Name: "the manager's view", Fabric: v.managed},
		Changes: diff.Compare(v.swept, v.managed, nil),
		Name:    names.Of(nameMap),
	}
	return s.print.Print(e, r, slices.Concat(v.swept.Problems(), v.managed.Problems()), v.early)
}

// views are a fabric as its nodes tell and as its manager knows it.
type views struct {
	smKey          uint64
	swept, managed *fabric.Fabric
	early          error // why one of them ended early
}

// gather gets both views. The manager's comes first: without a manager there is
// nothing to sweep for.
func (v *views) gather(ctx context.Context, e *env.Env, f *sweep.Flags) error {
	if strings.HasPrefix(f.URI(e), "file:") {
		return f.Visit(ctx, e, v.recall)
	}
	err := f.Gather(ctx, e, func(ctx context.Context, l *sweep.Live) error {
		var saErr, sweepErr error
		v.managed, saErr = saview.Read(ctx, l.Client, &saview.Options{SMKey: v.smKey, Source: l.URI})
		if v.managed.NumNodes() == 0 {
			return saErr
		}
		v.swept, sweepErr = discover.Walk(ctx, l.Client, l.Options)
		if v.swept.NumNodes() == 0 {
			return sweepErr
		}
		v.early = errors.Join(saErr, sweepErr)
		return nil
	})
	var refused *env.ExitError
	if err != nil && !errors.As(err, &refused) {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	return err
}

// recall takes both views of a snapshot.
func (v *views) recall(_ context.Context, stored *sweep.Visited) error {
	if stored.Snapshot == nil || stored.Snapshot.Manager == nil {
		return env.Exitf(env.Failed, "%s does not have the subnet manager's view; a snapshot of \"ibscope snapshot --sa\" has", stored.URI)
	}
	v.swept, v.managed = stored.Fabric, stored.Snapshot.Manager
	return nil
}
