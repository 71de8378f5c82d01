// Package ibaddr is the tool of that name of infiniband-diags: the GID and the
// LIDs of a port.
package ibaddr

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:     "ibaddr",
	Summary:  "show the GID and the LID range of a port",
	Operands: "[<lid|dr_path|guid>]",
	Excluded: "KL",
	Description: `ibaddr asks a port for its addresses, and prints its GID and the range of its
LIDs: of the local port, or of the one that is named by LID, or with -D by a
directed route. A port number may follow, which counts on that node.

The options and the output are those of ibaddr from infiniband-diags. Of
another port than the one by which the request arrives, the GID is that of the
arrival port, as there.`,
	Options: []getopt.Option{
		{Long: "gid_show", Short: 'g', Help: "show gid address only"},
		{Long: "lid_show", Short: 'l', Help: "show lid range only"},
		{Long: "Lid_show", Short: 'L', Help: "show lid range (in decimal) only"},
	},
	Examples: []string{
		"\t\t# local port's address",
		"32\t\t# show lid range and gid of lid 32",
		"-G 0x8f1040023\t# same but using guid address",
		"-l 32\t\t# show lid range only",
		"-L 32\t\t# show decimal lid range only",
		"-g 32\t\t# show gid address only",
	},
	ExitStatus: "0 when the port answered; 2 for a mistake in the command line; " +
		"255 for a fatal error, which is told on standard output.",
}
