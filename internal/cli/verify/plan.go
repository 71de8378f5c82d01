package verify

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/verify"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/format/wiring"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// plan reads the plan. Errors are *env.ExitError.
func (s *settings) plan(ctx context.Context, e *env.Env, text string, own func(*fabric.Node) (string, bool)) (*verify.Plan, error) {
	if sweep.IsURI(text) {
		return s.planOf(ctx, e, text, own)
	}
	f, err := os.Open(text)
	if err != nil {
		return nil, &env.ExitError{Code: env.Failed, Err: err}
	}
	defer f.Close()
	switch p, ours, err := wiring.Read(f, text); {
	case errors.Is(err, os.ErrInvalid):
		return nil, &env.ExitError{Code: env.Usage, Err: inOneLine(err)}
	case err != nil:
		return nil, &env.ExitError{Code: env.Failed, Err: err}
	case ours:
		return p, nil
	}
	d, err := format.LoadDocument(text)
	if err != nil {
		return nil, env.Exitf(env.Failed, "%s is no plan: neither a cabling list nor rules nor a stored fabric: %w", text, err)
	}
	s.planProblems = report.Problems(d.Fabric.Problems())
	if d.Kind == format.Plan {
		return verify.FromNames(d.Fabric), nil
	}
	return verify.FromFabric(d.Fabric, verify.Names(d.Fabric, own)), nil
}

// planOf is the wiring of a fabric that answers, or of a stored one.
func (s *settings) planOf(ctx context.Context, e *env.Env, uri string, own func(*fabric.Node) (string, bool)) (p *verify.Plan, err error) {
	defer func(before string) { s.sweep.Fabric = before }(s.sweep.Fabric)
	s.sweep.Fabric = uri
	err = s.sweep.Visit(ctx, e, func(_ context.Context, v *sweep.Visited) error {
		s.planProblems = report.Problems(v.Fabric.Problems())
		if v.Early != nil {
			return env.Exitf(env.Failed, "the plan ended early: %w", v.Early)
		}
		p = verify.FromFabric(v.Fabric, verify.Names(v.Fabric, own))
		return nil
	})
	return p, err
}

// inOneLine joins the mistakes of a file.
func inOneLine(err error) error {
	return errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
}
