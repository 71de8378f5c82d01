package cli

import (
	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/simctl"
	"github.com/ibscope/ibscope/internal/cli/simexec"
	"github.com/ibscope/ibscope/internal/cli/simexport"
	"github.com/ibscope/ibscope/internal/cli/simrun"
	"github.com/ibscope/ibscope/internal/cli/simserve"
	"github.com/ibscope/ibscope/internal/cli/simtopologies"
)

// simCommands are the makers of the subcommands of ibscope sim.
var simCommands = []func(*Env) *cobra.Command{
	simexec.Command,
	simserve.Command,
	func(e *Env) *cobra.Command { return simrun.Command(e, simserve.Command, simexec.Command) },
	simctl.Command,
	simexport.Command,
	simtopologies.Command,
}

// simCommand makes the parent of all that has to do with simulated fabrics.
func simCommand(e *Env) *cobra.Command {
	c := &cobra.Command{
		Use:   "sim",
		Short: "Try things on simulated fabrics",
		Long: `Sim is for simulated fabrics beyond --fabric sim:URI, which all commands
understand.`,
		Example: `  ibscope sim exec 'sim:fattree?levels=2&radix=8' -- ibnetdiscover
  ibscope sim exec --help`,
		Args: cobra.NoArgs, // what is not the name of a subcommand
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	for _, command := range simCommands {
		c.AddCommand(command(e))
	}
	return c
}
