// Package ibping is the tool of that name of infiniband-diags: pings a host, or
// answers pings.
package ibping

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:     "ibping",
	Summary:  "ping a host over InfiniBand, or answer pings",
	Operands: "<dest lid|guid>",
	Excluded: "DKy",
	Description: `ibping sends a ping each second to the port with a LID, or with -G to that with a
GUID, where a server has to run: this program with -S. When as many have been sent
as -c says, or at an interrupt or SIGTERM, it prints how many were answered, and
how fast.

The options and the output are those of ibping from infiniband-diags, and the
servers of both answer the clients of both. Unlike there, times are right below a
second, a server that is interrupted exits with 0, and only Gets are answered.`,
	Options: []getopt.Option{
		{Long: "count", Short: 'c', Arg: "num", Help: "stop after count packets"},
		{Long: "flood", Short: 'f', Help: "flood destination"},
		{Long: "oui", Short: 'o', Arg: "val", Help: "use specified OUI number"},
		{Long: "Server", Short: 'S', Help: "start in server mode"},
	},
	ExitStatus: "0 when pings were sent, even if none was answered; 2 for a mistake in the command line; " +
		"255 for a fatal error, which is told on standard output.",
}
