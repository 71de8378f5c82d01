// Package ibclear is the tools ibclearcounters and ibclearerrors of
// infiniband-diags, which reset the counters of all ports of a fabric.
package ibclear

import (
	"context"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/madrpc/counters"
)

// The tools.
var (
	Counters = diags.Tool{
		Name: "ibclearcounters", Summary: "reset all counters of a fabric",
		Description: "ibclearcounters resets all counters of " + description,
		Operands:    operands, Excluded: excluded, Options: options, Shared: shared, ExitStatus: exitStatus,
	}
	Errors = diags.Tool{
		Name: "ibclearerrors", Summary: "reset the error counters of a fabric",
		Description: "ibclearerrors resets the error counters of " + description,
		Operands:    operands, Excluded: excluded, Options: options, Shared: shared, ExitStatus: exitStatus,
	}
)

// What they have in common.
const (
	operands    = "[topology-file]"
	excluded    = "DLGsKvd"
	description = `all cabled ports, and of port 0 of
switches that have counters there. The ports are those of a sweep, or of a topology
file, whose nodes are then asked by their LIDs.

It takes the place of the script of that name of older infiniband-diags. Unlike
there, one process asks many nodes at the same time, counters of 64 bits are reset
too, nodes that do not answer are told of, and --dry-run only counts.`
	exitStatus = "0 when all counters were reset; 1 when some were not; " +
		"2 for a mistake in the command line; 255 for a fabric or a file that cannot be read."
)

var (
	options = []getopt.Option{
		{Long: "help", Short: 'h', Help: "help message"},
		{Long: "Ca", Short: 'C', Arg: "ca_name", Help: "CA name to use"},
		{Long: "Port", Short: 'P', Arg: "ca_port", Help: "CA port number to use"},
		{Long: "timeout", Short: 't', Arg: "timeout_ms", Help: "timeout in ms"},
	}
	shared = []*getopt.Option{&diags.DryRunOption}
)

// RunCounters runs ibclearcounters.
func RunCounters(ctx context.Context, e *env.Env) int {
	return diags.Code(e, run(ctx, e, &Counters, counters.What{Errors: true, Data: true}))
}

// RunErrors runs ibclearerrors.
func RunErrors(ctx context.Context, e *env.Env) int {
	return diags.Code(e, run(ctx, e, &Errors, counters.What{Errors: true}))
}
