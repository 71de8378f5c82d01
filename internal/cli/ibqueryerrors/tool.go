// Package ibqueryerrors is the tool of that name of infiniband-diags: the error
// counters of all ports.
package ibqueryerrors

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

const thresholdFile = "/etc/infiniband-diags/error_thresholds"

// Tool declares the command.
var Tool = diags.Tool{
	Name:     "ibqueryerrors",
	Summary:  "report the error counters of an InfiniBand fabric",
	Excluded: "cDGKLnRrSs",
	Description: `ibqueryerrors sweeps the fabric, asks all ports for their counters, and reports
those that are beyond their thresholds, 0 where the file of thresholds has none. With
--dry-run it shows which counters -k and -K would set to 0, and clears none.

The options and the output are those of ibqueryerrors from infiniband-diags, with
these faults mended: the details of errors are those of the error; a subnet
administration that does not answer costs the service levels and not the report.
Nodes are asked at the same time and reported in the order of there. Each port that
could not be read is told on standard error; a node that leaves two requests in a
row without a reply is not asked for its other ports.`,
	Options: []getopt.Option{
		{Long: "suppress", Short: 's', Arg: "err1,err2,...", Help: "suppress errors listed"},
		{Long: "suppress-common", Short: 'c', Help: "suppress some of the common counters"},
		{Long: "node-name-map", Arg: "file", Help: "node name map file"},
		{Long: "port-guid", Short: 'G', Arg: "port_guid", Help: "report the node containing the port specified by <port_guid>"},
		{Long: "", Short: 'S', Arg: "port_guid", Help: "Same as \"-G\" for backward compatibility"},
		{Long: "Direct", Short: 'D', Arg: "dr_path", Help: "report the node containing the port specified by <dr_path>"},
		{Long: "skip-sl", Help: "don't obtain SL to all destinations"},
		{Long: "report-port", Short: 'r', Help: "report port link information"},
		{Long: "threshold-file", Arg: "val", Help: "specify an alternate threshold file, default: " + thresholdFile},
		{Long: "GNDN", Short: 'R', Help: "(This option is obsolete and does nothing)"},
		{Long: "data", Help: "include data counters for ports with errors"},
		{Long: "switch", Help: "print data for switches only"},
		{Long: "ca", Help: "print data for CA's only"},
		{Long: "router", Help: "print data for routers only"},
		{Long: "details", Help: "include transmit discard details"},
		{Long: "counters", Help: "print data counters only"},
		{Long: "clear-errors", Short: 'k', Help: "Clear error counters after read"},
		{Long: "clear-counts", Short: 'K', Help: "Clear data counters after read"},
		{Long: "load-cache", Arg: "file", Help: "filename of ibnetdiscover cache to load"},
		{
			Long: "outstanding_smps", Short: 'o', Arg: "val",
			Help: "specify the number of outstanding SMP's which should be issued during the scan",
		},
	},
	Shared: []*getopt.Option{&diags.DryRunOption, &diags.DeadlineOption},
	ExitStatus: "0 when no counter is beyond its threshold, 1 when one is; 2 for a mistake in the command line; " +
		"255 when the fabric could not be read, or not to the end within --deadline and nothing was beyond.",
}
