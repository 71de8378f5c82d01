// Package ibtracert is the tool of that name of infiniband-diags: the way from
// one port to another.
package ibtracert

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:     "ibtracert",
	Summary:  "follow the way from one port to another",
	Operands: "<src-addr> <dest-addr>",
	Excluded: "DK",
	Description: `ibtracert follows the forwarding tables from one port to another, both named by
LID or with -G by port GUID, and prints each hop: the port that the way leaves by,
and the node and port that it arrives at. With -m it follows a multicast group.

The options and the output are those of ibtracert from infiniband-diags. Unlike
there, a way of just 63 hops is found, a warning names the switch whose table is
bad, and a file may have several multicast pairs.`,
	Options: []getopt.Option{
		{Long: "force", Short: 'f', Help: "force"},
		{Long: "no_info", Short: 'n', Help: "simple format"},
		{Long: "mlid", Short: 'm', Arg: "mlid", Help: "multicast trace of the mlid"},
		{Long: "node-name-map", Arg: "file", Help: "node name map file"},
		{Long: "ports-file", Arg: "file", Help: "port pairs file"},
	},
	Examples: []string{
		"- Unicast examples:",
		"4 16\t\t\t# show path between lids 4 and 16",
		"-n 4 16\t\t# same, but using simple output format",
		"-G 0x8f1040396522d 0x002c9000100d051\t# use guid addresses",
		" - Multicast examples:",
		"-m 0xc000 4 16\t# show multicast path of mlid 0xc000 between lids 4 and 16",
	},
	ExitStatus: "0 when the way was found; 2 for a mistake in the command line; " +
		"255 for a fatal error, which is told on standard output.",
}
