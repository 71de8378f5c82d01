package doctor

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/hostcheck"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/output"
	"github.com/ibscope/ibscope/internal/source/core"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/rdma"
)

func (s *settings) run(ctx context.Context, e *env.Env) error {
	if !slices.Contains(outputs, s.output) {
		return env.Exitf(env.Usage, "--output %s: there are %s", s.output, strings.Join(outputs, ", "))
	}
	o, err := s.options()
	if err != nil {
		return err
	}
	if tap := s.capture.Tap(e); tap != nil {
		o.Tap = func(p *rdma.Port, t madrpc.Transport) madrpc.Transport {
			return tap(core.UmadURI(p.Device, p.Num), t)
		}
	}
	host := hostcheck.Host{Sys: e.Sys, Dev: e.Dev, Proc: e.Proc}
	r := host.Check(ctx, o)
	var b bytes.Buffer
	if s.output == "json" {
		err = output.JSON(&b, document(r, e.Now()))
	} else {
		printer{w: &b, colour: e.Colour(e.Stdout), width: e.Columns(e.Stdout), verbose: s.verbose}.report(r)
	}
	if err == nil {
		_, err = io.Copy(e.Stdout, &b)
	}
	if err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	return exit(r)
}

// exit is the exit code by the worst finding.
func exit(r *hostcheck.Report) error {
	switch r.Worst() {
	case hostcheck.Failure:
		return &env.ExitError{Code: env.Failed}
	case hostcheck.Warning:
		return &env.ExitError{Code: env.Incomplete}
	}
	return nil
}
