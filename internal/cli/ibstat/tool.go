// Package ibstat is the tool of that name of infiniband-diags: the InfiniBand
// devices of this machine and the state of their ports, from sysfs.
package ibstat

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:     "ibstat",
	Summary:  "show the InfiniBand devices of this machine",
	Operands: "<ca_name> [portnum]",
	Excluded: "CDeGKLPsty",
	Description: `ibstat prints the InfiniBand and RoCE devices of this machine with their
ports, as the kernel tells of them; it opens no device and sends nothing. With
the name of a device it prints that one, with a port number that port.

The options and the output are those of ibstat from infiniband-diags. A port
that cannot be read is told on standard error and left out; the others are
printed.`,
	Options: []getopt.Option{
		{Long: "list_of_cas", Short: 'l', Help: "list all IB devices"},
		{Long: "short", Short: 's', Help: "short output"},
		{Long: "port_list", Short: 'p', Help: "show port list"},
	},
	Examples: []string{
		"-l       # list all IB devices",
		"mthca0 2 # stat port 2 of 'mthca0'",
	},
	ExitStatus: "0 when all was printed, even if that is nothing; 2 for a mistake in the command line; " +
		"255 when a device or port does not exist or cannot be read.",
}
