// Package applets is the table of drop-in tools, and finds the one that a command
// line asks for. It knows no subcommand of ibscope, so that a tool can run without
// what those need.
package applets

import (
	"context"

	"github.com/ibscope/ibscope/internal/cli/checklftbalance"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
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
	"github.com/ibscope/ibscope/internal/cli/perfquery"
	"github.com/ibscope/ibscope/internal/cli/saquery"
	"github.com/ibscope/ibscope/internal/cli/setnodedesc"
	"github.com/ibscope/ibscope/internal/cli/sminfo"
	"github.com/ibscope/ibscope/internal/cli/smpdump"
	"github.com/ibscope/ibscope/internal/cli/smpquery"
	"github.com/ibscope/ibscope/internal/cli/vendstat"
)

// Applet is a tool that runs under its own name, in place of a C tool.
type Applet struct {
	Tool *diags.Tool
	Run  func(context.Context, *env.Env) int
}

// All gives all drop-in tools, sorted by name. Nobody changes the list.
func All() []Applet { return all }

var all = []Applet{
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
