// Package ibstatus is the tool of that name of infiniband-diags, which there is a
// shell script: what sysfs says about ports, in the kernel's words.
package ibstatus

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:     "ibstatus",
	Summary:  "show the state of the RDMA ports of this machine",
	Operands: "[devname[:portnum]]...",
	Excluded: "zCPDLGtsKyevdV",
	Description: `ibstatus prints what the kernel says about the ports of this machine, in its
own words: of all devices, or of those that are named, or of one port of a
device. It opens no device and sends nothing.

The output is that of ibstatus from infiniband-diags.`,
	Options: []getopt.Option{
		{Long: "help", Short: 'h', Help: "help message; the first argument only"},
	},
	ExitStatus: "0 when all was printed; 255 for the help text, and when a device does not exist.",
}
