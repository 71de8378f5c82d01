// Package ibswportwatch is the tool of that name of older infiniband-diags: it
// watches how fast the counters of a port count.
package ibswportwatch

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:     "ibswportwatch",
	Summary:  "watch the counters of a port",
	Operands: "<guid|lid> <port>",
	Excluded: "zDLCPtsKyevdV",
	Description: `ibswportwatch reads PortCounters of a port again and again, and tells of counters of
errors that count, and of those that do so more than ten times in a second:
SymbolErrorCounter, LinkErrorRecoveryCounter, PortRcvErrors, PortXmitDiscards and
LocalLinkIntegrityErrors. Let it run while a job uses the link.

It takes the place of the script of that name of infiniband-diags, with its options
and output; the counters come in their order in PortCounters, where the script has
none. Rates are by the time that has passed between two readings, and not by the
pause; the pause may be a fraction of a second. "New ==> Old" of -v are the counters
of both readings. "ibscope errors --interval" does this for a whole fabric.`,
	Options: []getopt.Option{
		{Long: "help", Short: 'h', Help: "help message"},
		{Long: "pause", Short: 'p', Arg: "pause_time", Help: "seconds between two readings, default 10"},
		{Long: "bytes", Short: 'b', Help: "report how fast data and packets are counted"},
		{Long: "verbose", Short: 'v', Help: "print all counters"},
		{Long: "cycles", Short: 'n', Arg: "cycles", Help: "end after so many cycles, default -1: never"},
		{Long: "Guid", Short: 'G', Help: "the operand is a port GUID"},
	},
	ExitStatus: "0 after the last cycle; 2 for a mistake in the command line; " +
		"255 for a port that does not answer.",
}

// The word "ammount" is that of the script.
//
//nolint:misspell // see above
const usage = `[-p <pause_time> -b -v -n <cycles> -G] <guid|lid> <port>
   Attempt to diagnose a problem on a port
   Run this on a link while a job is running which utilizes that link.
   -p <pause_time> define the ammount of time between counter polls (default 10)
   -v Be verbose
   -n <cycles> run n cycles then exit (default -1 == forever)
   -G Address provided is a GUID
   -b report bytes/second packets/second
`
