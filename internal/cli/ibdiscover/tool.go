// Package ibdiscover is the tool ibdiscover.pl of older infiniband-diags: it lists
// links with the places of their nodes, and those that changed since the last run.
package ibdiscover

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:     "ibdiscover",
	Summary:  "list links with the places of their nodes, and what changed",
	Excluded: "zDLGstKyevdV",
	Description: `ibdiscover reads the topology that ibnetdiscover prints from its standard input, or
sweeps the fabric itself when that is a terminal or empty, and lists the nodes with
their links. It then tells of links that are not in the file ibdiscover.topo of the
current directory, and of those that are only there; without the file it lists all
of them. It writes what it has seen into ibdiscover.topo.new: renamed, that is
what the next run compares with. The file ibdiscover.map tells where nodes are, in
lines GUID|PORTS|PLACE, with the GUID in hexadecimal digits without zeros at its
beginning.

It takes the place of the script ibdiscover.pl of infiniband-diags, with its files
and output. The script has no options. Unlike there changes are in the order of
their GUIDs, routers count too, and GUIDs have up to 16 digits, where the script
takes 13.`,
	Options: []getopt.Option{
		{Long: "help", Short: 'h', Help: "help message"},
		{Long: "Ca", Short: 'C', Arg: "ca_name", Help: "CA name to use"},
		{Long: "Port", Short: 'P', Arg: "ca_port", Help: "CA port number to use"},
		{Long: "new", Arg: "file", Help: "write the links into another file than ibdiscover.topo.new", Extension: true},
	},
	ExitStatus: "0 when all was listed; 1 for a file that cannot be read or written; " +
		"2 for a mistake in the command line; 255 for a fabric that could not be swept.",
}

const usage = `< topology
   List links with the places of their nodes, and those that changed
   -C <ca_name> use selected channel adaptor name for queries
   -P <ca_port> use selected channel adaptor port for queries
`

// The files, in the current directory.
const (
	mapFile  = "ibdiscover.map"
	topoFile = "ibdiscover.topo"
	newFile  = "ibdiscover.topo.new"
)

const warning = `*** WARNING ***; this command is deprecated;
                 see ibnetdiscover cache features
                 and/or iblinkinfo "check" features

`
