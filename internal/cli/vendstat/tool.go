// Package vendstat is the tool of that name of infiniband-diags: what devices of
// NVIDIA (Mellanox) tell in their vendor class.
package vendstat

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:     "vendstat",
	Summary:  "ask a device of NVIDIA what only its vendor class tells",
	Operands: "<lid|guid> [port]",
	Excluded: "DKy",
	Description: `vendstat asks a device of NVIDIA (Mellanox), the local one or that with a LID or
with -G a port GUID, for its firmware (-N), for the PortXmitWait counters of an
InfiniScale III (-w), for the groups of counters of an InfiniScale IV (-i, -c), or for
words of its configuration space (-R, -W; up to 18, in hexadecimal). Of -i, -c and
-R or -W the first of them in this order counts, and -N and -w only without them.

To write the configuration space can break a device.

The options and the output are those of vendstat from infiniband-diags. Unlike
there, -w names port 20, and 4 once only; a name of a board ends after 16
characters.`,
	Options: []getopt.Option{
		{Long: "N", Short: 'N', Help: "show IS3 or IS4 general information"},
		{Long: "w", Short: 'w', Help: "show IS3 port xmit wait counters"},
		{Long: "i", Short: 'i', Help: "show IS4 counter group info"},
		{Long: "c", Short: 'c', Arg: "num,num", Help: "configure IS4 counter groups"},
		{Long: "Read", Short: 'R', Arg: "addr,mask", Help: "Read configuration space record at addr"},
		{Long: "Write", Short: 'W', Arg: "addr,val,mask", Help: "Write configuration space record at addr"},
	},
	Examples: []string{
		"-N 6\t\t# read IS3 or IS4 general information",
		"-w 6\t\t# read IS3 port xmit wait counters",
		"-i 6 12\t# read IS4 port 12 counter group info",
		"-c 0,1 6 12\t# configure IS4 port 12 counter groups for PortXmitDataSL",
		"-c 2,8 6 12\t# configure IS4 port 12 counter groups for PortRcvDataSL",
	},
	ExitStatus: "0 when -N and -w were answered, and with -i, -c, -R and -W always, as there; " +
		"2 for a mistake in the command line; 255 for a fatal error, which is told on standard output.",
}
