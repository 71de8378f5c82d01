// Package ibprint is the tools ibprintca, ibprintrt and ibprintswitch of older
// infiniband-diags, which print one node out of the topology.
package ibprint

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
)

// kind is one of the tools.
type kind struct {
	tool    *diags.Tool
	typ     ib.NodeType
	letter  string // before the GUID in the topology: "H"
	word    string // the first of a node's line: "Ca"
	short   string // in the usage text: "ca"
	many    string // "cas"
	instead string
}

// The tools.
var (
	CA = diags.Tool{
		Name: "ibprintca", Summary: "print one channel adapter out of the topology",
		Operands: "[-G <ca_guid> | <node_name>]", Excluded: excluded, Options: options, ExitStatus: exitStatus,
		Description: "ibprintca sweeps the fabric and prints the line of a channel adapter in the topology, and\n" + description,
	}
	Router = diags.Tool{
		Name: "ibprintrt", Summary: "print one router out of the topology",
		Operands: "[-G <rt_guid> | <node_name>]", Excluded: excluded, Options: options, ExitStatus: exitStatus,
		Description: "ibprintrt sweeps the fabric and prints the line of a router in the topology, and\n" + description,
	}
	Switch = diags.Tool{
		Name: "ibprintswitch", Summary: "print one switch out of the topology",
		Operands: "[-G <switch_guid> | <node_name>]", Excluded: excluded, Options: options, ExitStatus: exitStatus,
		Description: "ibprintswitch sweeps the fabric and prints the line of a switch in the topology, and\n" + description,
	}
)

// What they have in common.
const (
	excluded    = "zDLtsKyevdV"
	description = `those of its links, by port. A name is one word, or several, of the description.

It takes the place of the script of that name of infiniband-diags, with its options.
Unlike there each run sweeps, so that -R has no effect; the links of each node are
printed, also of the last one; and a name is a text and no pattern.`
	exitStatus = "0 when a node was printed; 1 with -l, as in the script, but for JSON; " +
		"2 for a mistake in the command line; 255 when there is no such node, and for a fabric that could not be swept."
)

var options = []getopt.Option{
	{Long: "help", Short: 'h', Help: "help message"},
	{Long: "recalculate", Short: 'R', Help: "has no effect: nothing is remembered from run to run"},
	{Long: "list", Short: 'l', Help: "list all of them"},
	{Long: "Ca", Short: 'C', Arg: "ca_name", Help: "CA name to use"},
	{Long: "Port", Short: 'P', Arg: "ca_port", Help: "CA port number to use"},
	{Long: "Guid", Short: 'G', Help: "the node is named by its GUID"},
}

var (
	cas      = kind{&CA, ib.NodeCA, "H", "Ca", "ca", "cas", "ibhosts"}
	routers  = kind{&Router, ib.NodeRouter, "R", "Rt", "rt", "rts", "ibrouters"}
	switches = kind{&Switch, ib.NodeSwitch, "S", "Switch", "switch", "switches", "ibswitches"}
)

// RunCA runs ibprintca and gives its exit code.
func RunCA(ctx context.Context, e *env.Env) int { return cas.run(ctx, e) }

// RunRouter runs ibprintrt and gives its exit code.
func RunRouter(ctx context.Context, e *env.Env) int { return routers.run(ctx, e) }

// RunSwitch runs ibprintswitch and gives its exit code.
func RunSwitch(ctx context.Context, e *env.Env) int { return switches.run(ctx, e) }

func (k *kind) usage() string {
	node := k.short + "_name"
	if k.typ != ib.NodeSwitch {
		node = "node_name"
	}
	return fmt.Sprintf(`[-R -l] [-G <%[1]s_guid> | <%[2]s>]
   print only the %[1]s specified from the ibnetdiscover output
   -R Recalculate ibnetdiscover information
   -l list %[3]s
   -C <ca_name> use selected channel adaptor name for queries
   -P <ca_port> use selected channel adaptor port for queries
   -G node is specified with GUID
`, k.short, node, k.many)
}
