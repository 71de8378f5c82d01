// Package iblinkinfo is the tool of that name of infiniband-diags: the links of
// all nodes.
package iblinkinfo

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:     "iblinkinfo",
	Summary:  "show the links of an InfiniBand fabric",
	Excluded: "aDdGgKLlnpRS",
	Description: `iblinkinfo sweeps the fabric and prints a line for each port of each node: its
state, width and speed, what it is connected to, and what the link could be and
is not. With a port GUID or a directed route it looks at one node only.

The options and the output are those of iblinkinfo from infiniband-diags. What
the sweep could not read is told on standard error, one line each. A node that
is named by its port GUID is reached on the way that the switches have to it, so
that only what is around it is swept; the link of an adapter ends at its own port of
the switch, not at that by which the way comes. A cache file needs no port, and --diff of a single node compares the two fabrics, not the
new one with itself.`,
	Options: []getopt.Option{
		{Long: "node-name-map", Arg: "file", Help: "node name map file"},
		{Long: "switch", Short: 'S', Arg: "port_guid", Help: "start partial scan at the port specified by <port_guid> (hex format)"},
		{Long: "port-guid", Short: 'G', Arg: "port_guid", Help: "(same as -S)"},
		{Long: "Direct", Short: 'D', Arg: "dr_path", Help: "start partial scan at the port specified by <dr_path>"},
		{Long: "all", Short: 'a', Help: "print all nodes found in a partial fabric scan"},
		{Long: "hops", Short: 'n', Arg: "hops", Help: "Number of hops to include away from specified node"},
		{Long: "down", Short: 'd', Help: "print only down links"},
		{Long: "line", Short: 'l', Help: "(line mode) print all information for each link on a single line"},
		{Long: "additional", Short: 'p', Help: "print additional port settings (PktLifeTime, HoqLife, VLStallCount)"},
		{Long: "load-cache", Arg: "file", Help: "filename of ibnetdiscover cache to load"},
		{Long: "diff", Arg: "file", Help: "filename of ibnetdiscover cache to diff"},
		{Long: "diffcheck", Arg: "key(s)", Help: "specify checks to execute for --diff"},
		{Long: "filterdownports", Arg: "file", Help: "filename of ibnetdiscover cache to filter downports"},
		{
			Long: "outstanding_smps", Short: 'o', Arg: "val",
			Help: "specify the number of outstanding SMP's which should be issued during the scan",
		},
		{Long: "switches-only", Help: "Output only switches"},
		{Long: "cas-only", Help: "Output only CAs"},
	},
	Shared: []*getopt.Option{&diags.DeadlineOption},
	ExitStatus: "0 when the sweep came to its end, even if nodes did not answer or the node that was named is not there; " +
		"1 when the fabric could not be read, or not to the end within --deadline, after what is known; 2 for a mistake in the command line; " +
		"255 for a fatal error, which is told on standard output.",
}
