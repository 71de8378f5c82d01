// Package ibccquery is the tool of that name of infiniband-diags: the settings,
// logs and tables of congestion control.
package ibccquery

import (
	"strings"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:        "ibccquery",
	Summary:     "ask a port for an attribute of congestion control",
	Words:       operationNames,
	OperandList: operands,
	Excluded:    "DK",
	Description: `ibccquery asks the congestion control agent of a port, named by LID or with -G by
port GUID, for one of the attributes below, and prints its fields. A CC_Key that
protects the agent is given with -c.

The options and the output are those of ibccquery from infiniband-diags.`,
	Options: []getopt.Option{{Long: "cckey", Short: 'c', Arg: "key", Help: "CC key"}},
	Examples: []string{
		"CongestionInfo 3\t\t\t# Congestion Info by lid",
		"SwitchPortCongestionSetting 3\t# Query all Switch Port Congestion Settings",
		"SwitchPortCongestionSetting 3 1\t# Query Switch Port Congestion Setting for port 1",
	},
	ExitStatus: "0 when the agent answered; 2 for a mistake in the command line; " +
		"255 for a fatal error, which is told on standard output.",
}

func operationNames() []string {
	var names []string
	for _, o := range operations() {
		names = append(names, o.name)
	}
	return names
}

func operands() string {
	var b strings.Builder
	b.WriteString("[-c key] <op> <lid|guid>\n\nSupported ops (and aliases, case insensitive):\n")
	for _, o := range operations() {
		b.WriteString("  " + o.name + " (" + o.alias + ") <lid|guid>")
		if o.takesPort {
			b.WriteString(" [<portnum>]")
		}
		b.WriteByte('\n')
	}
	return b.String()
}
