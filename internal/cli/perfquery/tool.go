// Package perfquery is the tool of that name of infiniband-diags: the counters
// of ports.
package perfquery

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:     "perfquery",
	Summary:  "show and reset the counters of InfiniBand ports",
	Operands: " [<lid|guid> [[port(s)] [reset_mask]]]",
	Excluded: "DK",
	Description: `perfquery asks the performance management agent of a port for its counters and
prints them: of the local port, or of the one that is named by LID, or with -G
by GUID. Ports are a number, a range such as 1-10, or a list such as 1,4,8; 255
stands for all ports of the node. With --dry-run it shows which counters -r and -R
would set to 0, and resets none.

The options and the output are those of perfquery from infiniband-diags, with
these faults mended: QP1Dropped is not the value of VL15Dropped, a list of ports
counts for all kinds of counters, and port numbers above 255 are refused.`,
	Options: []getopt.Option{
		{Long: "extended", Short: 'x', Help: "show extended port counters"},
		{Long: "xmtsl", Short: 'X', Help: "show Xmt SL port counters"},
		{Long: "rcvsl", Short: 'S', Help: "show Rcv SL port counters"},
		{Long: "xmtdisc", Short: 'D', Help: "show Xmt Discard Details"},
		{Long: "rcverr", Short: 'E', Help: "show Rcv Error Details"},
		{Long: "extended_speeds", Short: 'T', Help: "show port extended speeds counters"},
		{Long: "oprcvcounters", Help: "show Rcv Counters per Op code"},
		{Long: "flowctlcounters", Help: "show flow control counters"},
		{Long: "vloppackets", Help: "show packets received per Op code per VL"},
		{Long: "vlopdata", Help: "show data received per Op code per VL"},
		{Long: "vlxmitflowctlerrors", Help: "show flow control update errors per VL"},
		{Long: "vlxmitcounters", Help: "show ticks waiting to transmit counters per VL"},
		{Long: "swportvlcong", Help: "show sw port VL congestion"},
		{Long: "rcvcc", Help: "show Rcv congestion control counters"},
		{Long: "slrcvfecn", Help: "show SL Rcv FECN counters"},
		{Long: "slrcvbecn", Help: "show SL Rcv BECN counters"},
		{Long: "xmitcc", Help: "show Xmit congestion control counters"},
		{Long: "vlxmittimecc", Help: "show VL Xmit Time congestion control counters"},
		{Long: "smplctl", Short: 'c', Help: "show samples control"},
		{Long: "all_ports", Short: 'a', Help: "show aggregated counters"},
		{Long: "loop_ports", Short: 'l', Help: "iterate through each port"},
		{Long: "reset_after_read", Short: 'r', Help: "reset counters after read"},
		{Long: "Reset_only", Short: 'R', Help: "only reset counters"},
	},
	Shared: []*getopt.Option{&diags.DryRunOption},
	Examples: []string{
		"\t\t# read local port's performance counters",
		"32 1\t\t# read performance counters from lid 32, port 1",
		"-x 32 1\t# read extended performance counters from lid 32, port 1",
		"-a 32\t\t# read performance counters from lid 32, all ports",
		"-r 32 1\t# read performance counters and reset",
		"-x -r 32 1\t# read extended performance counters and reset",
		"-R 0x20 1\t# reset performance counters of port 1 only",
		"-x -R 0x20 1\t# reset extended performance counters of port 1 only",
		"-R -a 32\t# reset performance counters of all ports",
		"-R 32 2 0x0fff\t# reset only error counters of port 2",
		"-R 32 2 0xf000\t# reset only non-error counters of port 2",
		"-a 32 1-10\t# read performance counters from lid 32, port 1-10, aggregate output",
		"-l 32 1-10\t# read performance counters from lid 32, port 1-10, output each port",
		"-a 32 1,4,8\t# read performance counters from lid 32, port 1, 4, and 8, aggregate output",
		"-l 32 1,4,8\t# read performance counters from lid 32, port 1, 4, and 8, output each port",
	},
	ExitStatus: "0 when all counters were read or reset; 2 for a mistake in the command line; " +
		"255 for a fatal error, which is told on standard output.",
}
