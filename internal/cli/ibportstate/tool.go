// Package ibportstate is the tool of that name of infiniband-diags: the state of
// a port and of the other end of its link, and changes of it.
package ibportstate

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:    "ibportstate",
	Summary: "show and change the state of a port",
	Words:   words,
	Operands: "<dest dr_path|lid|guid> <portnum> [<op>]\n" +
		"\nSupported ops: enable, disable, on, off, reset, speed, espeed, fdr10,\n" +
		"\twidth, query, down, arm, active, vls, mtu, lid, smlid, lmc,\n" +
		"\tmkey, mkeylease, mkeyprot\n",
	Description: `ibportstate shows the state of a port, its LIDs, and the widths and speeds of its
link. For an active port of a switch it goes on with the other end of the link, and
warns when the link runs slower than both ends could.

With operations other than query it changes the port: enable, reset and on let the
link train (on only if the port is disabled), disable and off take it down, as down
does for the logical state; arm and active move it on. Any number of values can be
set beside one of these: speed, espeed, fdr10 and width for the next training, vls,
mtu, lid, smlid, lmc, mkey, mkeylease and mkeyprot, each followed by a number as
PortInfo has it. A mkey that is no number is asked for on the terminal.

Unlike the tool of infiniband-diags, this one refuses to take down a port that it
goes through itself: the local port, the other end of its link, and the ports on
the way to the node that is asked and back. enable, reset, disable, off and down of
such a port need --force. Other ports, and all that does not take a link down, need
no more than in C. With --dry-run it shows which fields would be set, and sends no
Set.

The options and the output are those of ibportstate from infiniband-diags.`,
	Shared: []*getopt.Option{&diags.ForceOption, &diags.DryRunOption},
	Examples: []string{
		"-C qib0 -P 1 3 1 disable     # by CA name, CA Port Number, lid, physical port number",
		"-C qib0 -P 1 3 1 enable      # by CA name, CA Port Number, lid, physical port number",
		"-D 0 1\t\t\t# (query) by direct route",
		"3 1 reset\t\t\t# by lid",
		"3 1 speed 1\t\t\t# by lid",
		"3 1 width 1\t\t\t# by lid",
		"-D 0 1 lid 0x1234 arm\t\t# by direct route",
	},
	ExitStatus: "0 when the port was read, and changed if that was asked for; 2 for a mistake in the " +
		"options; 255 for a fatal error or a refused change, which is told on standard output.",
}
