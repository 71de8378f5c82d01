package topology

import (
	"context"
	"errors"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/hosttree"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// fabrics is the value of an option that may be given several times.
type fabrics []string

func (f *fabrics) String() string { return strings.Join(*f, " ") }

func (f *fabrics) Type() string { return "URI" }

// Set adds a URI.
func (f *fabrics) Set(uri string) error {
	*f = append(*f, uri)
	return nil
}

// gather sweeps all fabrics, one after the other.
func (h *hosts) gather(ctx context.Context, e *env.Env) (inputs []hosttree.Input, early, err error) {
	uris := []string(h.fabrics)
	if len(uris) == 0 {
		uris = []string{""}
	}
	for _, uri := range uris {
		h.sweep.Fabric = uri
		f, sweepErr := sweepOne(ctx, e, &h.sweep)
		var refused *env.ExitError
		if errors.As(sweepErr, &refused) && f == nil {
			return nil, nil, refused
		}
		if early == nil {
			early = sweepErr
		}
		inputs = append(inputs, hosttree.Input{Fabric: f, Topology: topology.Classify(f, nil)})
	}
	return inputs, early, nil
}

// sweepOne sweeps one fabric. Without a fabric the error is an *env.ExitError; beside
// one it is why not all is known, one without a text where that has been told.
func sweepOne(ctx context.Context, e *env.Env, flags *sweep.Flags) (*fabric.Fabric, error) {
	f, err := flags.Run(ctx, e)
	var refused *env.ExitError
	switch {
	case errors.As(err, &refused):
		return nil, refused
	case f == nil || f.NumNodes() == 0 && err != nil:
		return nil, &env.ExitError{Code: env.Failed, Err: err}
	}
	sweep.Complain(e, f.Problems())
	switch {
	case sweep.IsInterrupted(err):
		return f, env.Exitf(env.Incomplete, "the sweep was ended early, the output is what was known by then: %w", err)
	case err == nil && !f.IsComplete():
		return f, env.Exitf(env.Incomplete, "not all of the fabric could be read, the output is what is known")
	}
	return f, err
}
