// Package ibfindnodesusing is the tool of that name of infiniband-diags: the
// channel adapters that are reached through a link.
package ibfindnodesusing

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:     "ibfindnodesusing",
	Summary:  "list the nodes whose traffic passes a link",
	Operands: "<switch_guid|switch_name> <port>",
	Excluded: "zDLGtsKyevdV",
	Description: `ibfindnodesusing prints the channel adapters that the switch reaches by that port,
and those that the switch at the other end of the cable reaches through it.

The options and the output are those of ibfindnodesusing from infiniband-diags.
Unlike there, each run sweeps, so that -R has no effect; a switch may be named by
its description, as the usage text promises; an adapter with several LIDs is
listed when any of them goes through the port; a port is a number that the switch
has; and of names, only those that end in a number become ranges.`,
	Options: []getopt.Option{
		{Long: "help", Short: 'h', Help: "help message"},
		{Long: "recalculate", Short: 'R', Help: "has no effect: nothing is remembered from run to run"},
		{Long: "Ca", Short: 'C', Arg: "ca_name", Help: "CA name to use"},
		{Long: "Port", Short: 'P', Arg: "ca_port", Help: "CA port number to use"},
	},
	ExitStatus: "0 when the nodes were found; 1 when there is no such switch or port; 2 for a mistake in the " +
		"command line; 255 for a fabric that could not be swept, or a forwarding table that could not be read.",
}

const usage = `[-R -C <ca_name> -P <ca_port>] <switch_guid|switch_name> <port>
   find a list of nodes which are routed through switch:port
   -R Recalculate ibnetdiscover information
   -C <ca_name> use selected Channel Adaptor name for queries
   -P <ca_port> use selected channel adaptor port for queries
`
