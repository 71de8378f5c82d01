// Package ibidsverify is the tool of that name of infiniband-diags: it checks
// that LIDs and GUIDs are there and are used once.
package ibidsverify

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:     "ibidsverify",
	Summary:  "check that LIDs and GUIDs are unique in a fabric",
	Excluded: "zDLGtsKyevdV",
	Description: `ibidsverify sweeps the fabric and tells of LIDs and GUIDs that are zero or that
two nodes or ports have.

The options and the output are those of ibidsverify from infiniband-diags. Unlike
there, each run sweeps, so that -R has no effect; a LID is compared with all LIDs
of a port with an LMC; a node GUID of zero is told; and a sweep that failed is an
error.`,
	Options: []getopt.Option{
		{Long: "help", Short: 'h', Help: "help message"},
		{Long: "recalculate", Short: 'R', Help: "has no effect: nothing is remembered from run to run"},
		{Long: "Ca", Short: 'C', Arg: "ca_name", Help: "CA name to use"},
		{Long: "Port", Short: 'P', Arg: "ca_port", Help: "CA port number to use"},
	},
	ExitStatus: "0 when all are unique; 1 when some are not; 2 for a mistake in the command line; " +
		"255 for a fabric that could not be swept.",
}

const usage = `[-Rh]
   Validate LIDs and GUIDs (check for zero and duplicates) in the local subnet
   -h This help message
   -R Recalculate ibnetdiscover information (Default is to reuse ibnetdiscover output)
   -C <ca_name> use selected Channel Adaptor name for queries
   -P <ca_port> use selected channel adaptor port for queries
`
