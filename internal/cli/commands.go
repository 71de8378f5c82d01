package cli

import (
	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/anonymize"
	"github.com/ibscope/ibscope/internal/cli/compare"
	"github.com/ibscope/ibscope/internal/cli/devices"
	"github.com/ibscope/ibscope/internal/cli/diff"
	"github.com/ibscope/ibscope/internal/cli/discover"
	"github.com/ibscope/ibscope/internal/cli/doctor"
	"github.com/ibscope/ibscope/internal/cli/draw"
	"github.com/ibscope/ibscope/internal/cli/errors"
	"github.com/ibscope/ibscope/internal/cli/events"
	"github.com/ibscope/ibscope/internal/cli/health"
	"github.com/ibscope/ibscope/internal/cli/history"
	linkscommand "github.com/ibscope/ibscope/internal/cli/links"
	"github.com/ibscope/ibscope/internal/cli/nodes"
	"github.com/ibscope/ibscope/internal/cli/pcap"
	"github.com/ibscope/ibscope/internal/cli/routes"
	"github.com/ibscope/ibscope/internal/cli/serve"
	"github.com/ibscope/ibscope/internal/cli/snapshot"
	"github.com/ibscope/ibscope/internal/cli/summary"
	"github.com/ibscope/ibscope/internal/cli/top"
	"github.com/ibscope/ibscope/internal/cli/topology"
	"github.com/ibscope/ibscope/internal/cli/trace"
	"github.com/ibscope/ibscope/internal/cli/verify"
	"github.com/ibscope/ibscope/internal/cli/view"
)

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
	events.Command,
	health.Command,
	history.Command,
	linkscommand.Command,
	nodes.Command,
	pcap.Command,
	routes.Command,
	serve.Command,
	simCommand,
	snapshot.Command,
	summary.Command,
	top.Command,
	topology.Command,
	trace.Command,
	verify.Command,
	view.Command,
}
