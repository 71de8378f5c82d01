// Package sminfo is the tool of that name of infiniband-diags: who a subnet
// manager is, and messages to it.
package sminfo

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:     "sminfo",
	Summary:  "ask a subnet manager who it is",
	Operands: "<sm_lid|sm_dr_path> [modifier]",
	Excluded: "K",
	Description: `sminfo asks a subnet manager for its SMInfo and prints its GUID, its activity
count, its priority and its state: the one that has brought up the local port, or
the one at a LID, or with -D at the end of a directed route.

With a modifier other than 0 the request is a Set, by which subnet managers hand
over and disable each other (IBA 14.4.1). This disturbs a fabric; with --dry-run the
message is shown and not sent.

The options and the output are those of sminfo from infiniband-diags.`,
	Options: []getopt.Option{
		{Long: "state", Short: 's', Arg: "0-3", Help: "set SM state"},
		{Long: "priority", Short: 'p', Arg: "0-15", Help: "set SM priority"},
		{Long: "activity", Short: 'a', Arg: "val", Help: "set activity count"},
	},
	Shared: []*getopt.Option{&diags.DryRunOption},
	ExitStatus: "0 when the subnet manager answered; 2 for a mistake in the command line; " +
		"255 for a fatal error, which is told on standard output.",
}
