// Package checklftbalance is the tool check_lft_balance of infiniband-diags: how
// evenly switches spread LIDs over their ports.
package checklftbalance

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:     "check_lft_balance",
	Summary:  "check whether forwarding tables are balanced",
	Excluded: "zCPDLGtsKyevdV",
	Description: `check_lft_balance counts, for each switch of a file that dump_fts wrote, how many
LIDs of adapters and routers it forwards by each port to another switch. The switch
is balanced when no port has over one LID more than another.

The options and the output are those of check_lft_balance from infiniband-diags.
Unlike there, the topology may be a file of any format that ibscope reads; ports to
adapters are known from it, where the script takes every port with one LID for one;
no port number is too high; all LIDs of ports with several count; and a file that
cannot be read is an error.`,
	Options: []getopt.Option{
		{Long: "help", Short: 'h', Help: "help message"},
		{Long: "lfts", Short: 'l', Arg: "lft-output", Help: "file with the output of dump_fts"},
		{Long: "topology", Short: 'i', Arg: "ibnetdiscover-cache", Help: "file that ibnetdiscover --cache wrote"},
		{Long: "heuristics", Short: 'e', Help: "pass over what is usual inside of a chassis"},
		{Long: "verbose", Short: 'v', Help: "show balanced switches too"},
	},
	ExitStatus: "0, balanced or not; 2 for a mistake in the command line; 255 for a file that cannot be read.",
}

const usage = `-l lft-output -i ibnetdiscover-cache [-e] [-v]
  Generate lft-output via "dump_lfts.sh > lft-output"
  Generate ibnetdiscover-cache via "ibnetdiscover --cache ibnetdiscover-cache"
  -e turn on heuristic(s) to look at switch balances deeper
  -v verbose output, output all switches
`
