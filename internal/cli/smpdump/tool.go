// Package smpdump is the tool of that name of infiniband-diags: the bytes of any
// attribute of subnet management.
package smpdump

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:     "smpdump",
	Summary:  "dump the bytes of an attribute of subnet management",
	Operands: "<dlid|dr_path> <attr> [mod]",
	Excluded: "GK",
	Description: `smpdump asks a device, named by LID or with -D by a directed route, for any
attribute by its number, and prints the 64 bytes of data as they are, or with -s
as text. The status follows where it is not 0; a reply by directed route always has
its highest bit set.

The options and the output are those of smpdump from infiniband-diags. Unlike
there, a request without a reply is an error and not a dump of zeros, the M_Key
is sent, and text shows blanks for characters that do not print.`,
	Options: []getopt.Option{{Long: "string", Short: 's'}},
	Examples: []string{
		" -- DR routed examples:",
		"-D 0,1,2,3,5 16\t# NODE DESC",
		"-D 0,1,2 0x15 2\t# PORT INFO, port 2",
		" -- LID routed examples:",
		"3 0x15 2\t# PORT INFO, lid 3 port 2",
		"0xa0 0x11\t# NODE INFO, lid 0xa0",
	},
	ExitStatus: "0 when the device answered, whatever the status; 2 for a mistake in the command line; " +
		"255 for a fatal error.",
}
