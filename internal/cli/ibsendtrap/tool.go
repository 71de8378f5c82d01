// Package ibsendtrap is the tool of that name of infiniband-diags: it sends a
// trap to the subnet manager, for tests of what that does then.
package ibsendtrap

import (
	"strings"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:        "ibsendtrap",
	Summary:     "send a trap to the subnet manager",
	Words:       trapNames,
	OperandList: operands,
	Excluded:    "DGKL",
	Description: `ibsendtrap sends one of the traps below to the subnet manager, as if the local port
had noticed what it tells of: with the local port's LID, and sample values for the
rest. local_link_integrity tells of a port, 1 unless another is given. It does not
wait for an answer. With --dry-run it shows the trap, and sends none.

infiniband-diags has this tool for its own tests, and most distributions do not
install it. The options are those of the C tool.`,
	Shared: []*getopt.Option{&diags.DryRunOption},
	ExitStatus: "0 when the trap was sent; 2 for a mistake in the command line; " +
		"255 for a fatal error, which is told on standard output, and when the port refused the trap.",
}

func trapNames() []string {
	var names []string
	for i := range traps {
		names = append(names, traps[i].name)
	}
	return names
}

func operands() string {
	var b strings.Builder
	b.WriteString("[<trap_name>] [<error_port>]\n\nArgument <trap_name> can be one of the following:\n")
	for _, t := range traps {
		b.WriteString("  " + t.name + "\n")
	}
	b.WriteString("\n  default behavior is to send \"" + traps[0].name + "\"")
	return b.String()
}
