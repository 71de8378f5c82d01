package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/anonymize"
	"github.com/ibscope/ibscope/internal/cli/checklftbalance"
	"github.com/ibscope/ibscope/internal/cli/compare"
	"github.com/ibscope/ibscope/internal/cli/devices"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/diff"
	"github.com/ibscope/ibscope/internal/cli/discover"
	"github.com/ibscope/ibscope/internal/cli/doctor"
	"github.com/ibscope/ibscope/internal/cli/draw"
	"github.com/ibscope/ibscope/internal/cli/errors"
	"github.com/ibscope/ibscope/internal/cli/health"
	"github.com/ibscope/ibscope/internal/cli/ibaddr"
	"github.com/ibscope/ibscope/internal/cli/ibcacheedit"
	"github.com/ibscope/ibscope/internal/cli/ibccconfig"
	"github.com/ibscope/ibscope/internal/cli/ibccquery"
	"github.com/ibscope/ibscope/internal/cli/ibcheck"
	"github.com/ibscope/ibscope/internal/cli/ibclear"
	"github.com/ibscope/ibscope/internal/cli/ibdiscover"
	"github.com/ibscope/ibscope/internal/cli/ibfindnodesusing"
	"github.com/ibscope/ibscope/internal/cli/ibidsverify"
	"github.com/ibscope/ibscope/internal/cli/iblinkinfo"
	"github.com/ibscope/ibscope/internal/cli/ibnetdiscover"
	"github.com/ibscope/ibscope/internal/cli/ibnodes"
	"github.com/ibscope/ibscope/internal/cli/ibping"
	"github.com/ibscope/ibscope/internal/cli/ibportstate"
	"github.com/ibscope/ibscope/internal/cli/ibprint"
	"github.com/ibscope/ibscope/internal/cli/ibqueryerrors"
	"github.com/ibscope/ibscope/internal/cli/ibroute"
	"github.com/ibscope/ibscope/internal/cli/ibsendtrap"
	"github.com/ibscope/ibscope/internal/cli/ibstat"
	"github.com/ibscope/ibscope/internal/cli/ibstatus"
	"github.com/ibscope/ibscope/internal/cli/ibswportwatch"
	"github.com/ibscope/ibscope/internal/cli/ibsysstat"
	"github.com/ibscope/ibscope/internal/cli/ibtracert"
	"github.com/ibscope/ibscope/internal/cli/ibvdevices"
	"github.com/ibscope/ibscope/internal/cli/ibvdevinfo"
	linkscommand "github.com/ibscope/ibscope/internal/cli/links"
	"github.com/ibscope/ibscope/internal/cli/nodes"
	"github.com/ibscope/ibscope/internal/cli/pcap"
	"github.com/ibscope/ibscope/internal/cli/perfquery"
	"github.com/ibscope/ibscope/internal/cli/routes"
	"github.com/ibscope/ibscope/internal/cli/saquery"
	"github.com/ibscope/ibscope/internal/cli/setnodedesc"
	"github.com/ibscope/ibscope/internal/cli/sminfo"
	"github.com/ibscope/ibscope/internal/cli/smpdump"
	"github.com/ibscope/ibscope/internal/cli/smpquery"
	"github.com/ibscope/ibscope/internal/cli/snapshot"
	"github.com/ibscope/ibscope/internal/cli/summary"
	"github.com/ibscope/ibscope/internal/cli/topology"
	"github.com/ibscope/ibscope/internal/cli/trace"
	"github.com/ibscope/ibscope/internal/cli/vendstat"
	"github.com/ibscope/ibscope/internal/cli/verify"
)

// applet is a tool that runs under its own name, in place of a C tool.
type applet struct {
	tool *diags.Tool
	run  func(context.Context, *Env) int
}

// applets are all drop-in tools.
var applets = []applet{
	{&checklftbalance.Tool, checklftbalance.Run},
	{&ibroute.DumpTool, ibroute.RunDump},
	{&ibroute.DumpLFTsTool, ibroute.RunDumpLFTs},
	{&ibroute.DumpMFTsTool, ibroute.RunDumpMFTs},
	{&ibaddr.Tool, ibaddr.Run},
	{&ibcacheedit.Tool, ibcacheedit.Run},
	{&ibccconfig.Tool, ibccconfig.Run},
	{&ibccquery.Tool, ibccquery.Run},
	{&ibcheck.FabricError, ibcheck.RunFabricErrors},
	{&ibcheck.Errors, ibcheck.RunErrors},
	{&ibcheck.Net, ibcheck.RunNet},
	{&ibcheck.Node, ibcheck.RunNode},
	{&ibcheck.Port, ibcheck.RunPort},
	{&ibcheck.PortState, ibcheck.RunPortState},
	{&ibcheck.PortWidth, ibcheck.RunPortWidth},
	{&ibcheck.State, ibcheck.RunState},
	{&ibcheck.Width, ibcheck.RunWidth},
	{&ibclear.Counters, ibclear.RunCounters},
	{&ibclear.Errors, ibclear.RunErrors},
	{&ibcheck.FabricData, ibcheck.RunFabricData},
	{&ibcheck.Data, ibcheck.RunData},
	{&ibdiscover.Tool, ibdiscover.Run},
	{&ibfindnodesusing.Tool, ibfindnodesusing.Run},
	{&ibnodes.Hosts, ibnodes.RunHosts},
	{&ibidsverify.Tool, ibidsverify.Run},
	{&iblinkinfo.Tool, iblinkinfo.Run},
	{&ibnetdiscover.Tool, ibnetdiscover.Run},
	{&ibnodes.Nodes, ibnodes.RunNodes},
	{&ibping.Tool, ibping.Run},
	{&ibportstate.Tool, ibportstate.Run},
	{&ibprint.CA, ibprint.RunCA},
	{&ibprint.Router, ibprint.RunRouter},
	{&ibprint.Switch, ibprint.RunSwitch},
	{&ibqueryerrors.Tool, ibqueryerrors.Run},
	{&ibroute.Tool, ibroute.Run},
	{&ibnodes.Routers, ibnodes.RunRouters},
	{&ibsendtrap.Tool, ibsendtrap.Run},
	{&ibstat.Tool, ibstat.Run},
	{&ibstatus.Tool, ibstatus.Run},
	{&ibnodes.Switches, ibnodes.RunSwitches},
	{&ibswportwatch.Tool, ibswportwatch.Run},
	{&ibsysstat.Tool, ibsysstat.Run},
	{&ibtracert.Tool, ibtracert.Run},
	{&ibvdevices.Tool, ibvdevices.Run},
	{&ibvdevinfo.Tool, ibvdevinfo.Run},
	{&perfquery.Tool, perfquery.Run},
	{&saquery.Tool, saquery.Run},
	{&setnodedesc.Tool, setnodedesc.Run},
	{&sminfo.Tool, sminfo.Run},
	{&smpdump.Tool, smpdump.Run},
	{&smpquery.Tool, smpquery.Run},
	{&vendstat.Tool, vendstat.Run},
}

// commands are the makers of the subcommands of ibscope.
var commands = []func(*Env) *cobra.Command{
	anonymize.Command,
	compare.Command,
	devices.Command,
	diff.Command,
	discover.Command,
	doctor.Command,
	draw.Command,
	errors.Command,
	health.Command,
	linkscommand.Command,
	nodes.Command,
	pcap.Command,
	routes.Command,
	simCommand,
	snapshot.Command,
	summary.Command,
	topology.Command,
	trace.Command,
	verify.Command,
}

// findApplet finds a tool by its name. Scripts have an ending in most distributions,
// and so have those that were replaced by programs, iblinkinfo.pl for example.
func findApplet(name string) (applet, bool) {
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".pl"), ".sh")
	for _, a := range applets {
		if a.tool.Name == name {
			return a, true
		}
	}
	return applet{}, false
}
