// Package ibnodes is the tools ibhosts, ibswitches, ibrouters and ibnodes of
// infiniband-diags, which list nodes out of a topology.
package ibnodes

import (
	"context"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
)

// The tools.
var (
	Hosts    = declare("ibhosts", "list the channel adapters of a fabric")
	Switches = declare("ibswitches", "list the switches of a fabric")
	Routers  = declare("ibrouters", "list the routers of a fabric")
	Nodes    = declare("ibnodes", "list the channel adapters and switches of a fabric")
)

// RunHosts runs ibhosts.
func RunHosts(ctx context.Context, e *env.Env) int { return run(ctx, e, hosts) }

// RunSwitches runs ibswitches.
func RunSwitches(ctx context.Context, e *env.Env) int { return run(ctx, e, switches) }

// RunRouters runs ibrouters.
func RunRouters(ctx context.Context, e *env.Env) int { return run(ctx, e, routers) }

// RunNodes runs ibnodes: ibhosts, then ibswitches, on one sweep.
func RunNodes(ctx context.Context, e *env.Env) int { return run(ctx, e, hosts, switches) }

func declare(name, summary string) diags.Tool {
	return diags.Tool{
		Name: name, Summary: summary,
		Operands: "[topology-file]",
		Excluded: "zDLGsKevdV",
		Description: name + ` sweeps the fabric, or reads a file that ibnetdiscover wrote, and prints
a line for each node: its GUID, its number of ports and its description.`,
		Options: []getopt.Option{
			{Long: "help", Short: 'h', Help: "help message"},
			{Long: "m_key", Short: 'y', Arg: "mkey", Help: "M_Key to use in request"},
			{Long: "Ca", Short: 'C', Arg: "ca_name", Help: "CA name to use"},
			{Long: "Port", Short: 'P', Arg: "ca_port", Help: "CA port number to use"},
			{Long: "timeout", Short: 't', Arg: "timeout_ms", Help: "timeout in ms"},
		},
		ExitStatus: "0 when all went well; 1 for a topology file that cannot be read; " +
			"255 for a mistake in the command line or a sweep that failed.",
	}
}
