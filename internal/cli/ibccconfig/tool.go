// Package ibccconfig is the tool of that name of infiniband-diags: it sets the
// attributes of congestion control.
package ibccconfig

import (
	"strings"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:        "ibccconfig",
	Summary:     "set an attribute of congestion control",
	Words:       operationNames,
	OperandList: operands,
	Excluded:    "DK",
	Description: `ibccconfig sets one of the attributes below at the congestion control agent of a
port, which is named by LID or with -G by port GUID. It prints nothing when that
succeeds. A CC_Key that protects the agent is given with -c. With --dry-run it shows
which fields would change, and sends no Set.

The options and the output are those of ibccconfig from infiniband-diags, with these
faults mended: settings of switch ports from 32 on go to the port that was named and
spare the others, and values that do not fit their fields are refused instead of cut.`,
	Options: []getopt.Option{
		{Long: "cckey", Short: 'c', Arg: "key", Help: "CC key"},
	},
	Shared: []*getopt.Option{&diags.DryRunOption},
	Examples: []string{
		"SwitchCongestionSetting 2 0x1F 0x1FFFFFFFFF 0x0 0xF 8 0 0:0 1\t# Configure Switch Congestion Settings",
		"CACongestionSetting 1 0 0x3 150 1 0 0\t\t# Configure CA Congestion Settings to SL 0 and SL 1",
		"CACongestionSetting 1 0 0x4 200 1 0 0\t\t# Configure CA Congestion Settings to SL 2",
		"CongestionControlTable 1 63 0 0:0 0:1 ...\t# Configure first block of Congestion Control Table",
		"CongestionControlTable 1 127 0 0:64 0:65 ...\t# Configure second block of Congestion Control Table",
	},
	ExitStatus: "0 when the attribute was set; 2 for a mistake in the options; " +
		"255 for a fatal error, which is told on standard output.",
}

func operationNames() []string {
	var names []string
	for i := range operations {
		names = append(names, operations[i].name)
	}
	return names
}

func operands() string {
	var b strings.Builder
	b.WriteString("[-c key] <op> <lid|guid>\n\nWARNING -- You should understand what you are doing before using this tool.  " +
		"Misuse of this tool could result in a broken fabric.\n\nSupported ops (and aliases, case insensitive):\n")
	for _, o := range operations {
		b.WriteString("  " + o.name + " (" + o.alias + ") <lid|guid> " + o.parameters + "\n")
	}
	return b.String()
}
