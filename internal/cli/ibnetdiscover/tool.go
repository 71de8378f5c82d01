// Package ibnetdiscover is the tool of that name of infiniband-diags.
package ibnetdiscover

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:     "ibnetdiscover",
	Summary:  "discover the topology of an InfiniBand fabric",
	Operands: "[topology-file]",
	Excluded: "DGKLs",
	Description: `ibnetdiscover sweeps the fabric and prints its topology: all nodes with
their ports and links, in the format that many tools read. With a topology
file it writes there instead of to standard output.

The options and the output are those of ibnetdiscover from infiniband-diags.
What a sweep could not read is told on standard error, one line each; the
output then lacks it.`,
	Options: []getopt.Option{
		{Long: "full", Short: 'f', Help: "show full information (ports' speed and width, vlcap)"},
		{Long: "show", Short: 's', Help: "show more information"},
		{Long: "list", Short: 'l', Help: "list of connected nodes"},
		{Long: "grouping", Short: 'g', Help: "show grouping"},
		{Long: "Hca_list", Short: 'H', Help: "list of connected CAs"},
		{Long: "Switch_list", Short: 'S', Help: "list of connected switches"},
		{Long: "Router_list", Short: 'R', Help: "list of connected routers"},
		{Long: "node-name-map", Arg: "file", Help: "node name map file"},
		{Long: "cache", Arg: "file", Help: "filename to cache ibnetdiscover data to"},
		{Long: "load-cache", Arg: "file", Help: "filename of ibnetdiscover cache to load"},
		{Long: "diff", Arg: "file", Help: "filename of ibnetdiscover cache to diff"},
		{Long: "diffcheck", Arg: "key(s)", Help: "specify checks to execute for --diff"},
		{Long: "ports", Short: 'p', Help: "obtain a ports report"},
		{Long: "max_hops", Short: 'm', Help: "report max hops discovered by the library"},
		{
			Long: "outstanding_smps", Short: 'o', Arg: "val",
			Help: "specify the number of outstanding SMP's which should be issued during the scan",
		},
	},
	ExitStatus: "0 when the sweep came to its end, even if nodes did not answer; " +
		"2 for a mistake in the command line; 255 for a fatal error, which is told on standard output.",
}
