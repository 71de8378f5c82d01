package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/applets"
)

// program is the name of the whole.
const program = "ibscope"

// Groups of commands in the help text.
const (
	groupFabric = "fabric"
	groupTools  = "tools"
)

// newRoot makes the command tree. A drop-in tool leaves its exit code in code.
func newRoot(e *Env, code *int) *cobra.Command {
	root := &cobra.Command{
		Use:   program,
		Short: "InfiniBand management stack and toolbox",
		Long: `ibscope discovers, inspects and simulates InfiniBand fabrics.

A fabric is named by a URI, with --fabric or in IBSCOPE_FABRIC:

  umad:  umad:mlx5_0  umad:mlx5_0/1            a port of this machine
  sim:FILE  sim:fattree?levels=3&radix=64      a simulated fabric
  ibsim:  ibsim:NAME  ibsim:HOST:PORT          a running ibsim
  file:FILE                                    a stored fabric

The drop-in tools have the options, output and exit status of the tool of the
same name in infiniband-diags. They also run under their own name: make a link
with that name to ibscope.`,
		Example: `  ibscope discover --fabric 'sim:fattree?levels=2&radix=8'
  ln -s ibscope ibnetdiscover && ./ibnetdiscover -l`,
		Version:       e.Version,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetIn(e.Stdin)
	root.SetOut(e.Stdout)
	root.SetErr(e.Stderr)
	root.AddGroup(&cobra.Group{ID: groupFabric, Title: "Commands:"}, &cobra.Group{ID: groupTools, Title: "Drop-in tools:"})
	for _, command := range commands {
		c := command(e)
		c.GroupID = groupFabric
		root.AddCommand(c)
		completeFabrics(e, c)
	}
	for _, a := range applets.All() {
		root.AddCommand(appletCommand(e, a, code))
	}
	root.AddCommand(toolsCommand(e), manCommand(e))
	refuseUnknownTopics(root)
	tellArguments(root)
	return root
}

// tellArguments has the commands below c say which arguments they expect: cobra
// counts them, and takes the first one too many for a command.
func tellArguments(c *cobra.Command) {
	for _, sub := range c.Commands() {
		tellArguments(sub)
	}
	check := c.Args
	if check == nil || c.HasSubCommands() {
		return
	}
	usage := strings.Replace(c.UseLine(), " [flags]", "", 1)
	c.Args = func(c *cobra.Command, args []string) error {
		err := check(c, args)
		switch {
		case err == nil:
			return nil
		case usage == c.CommandPath():
			return fmt.Errorf("%q takes no arguments, found %s", usage, quoted(args))
		}
		return fmt.Errorf("expected %q, found %s", usage, quoted(args))
	}
}

func quoted(args []string) string {
	if len(args) == 0 {
		return "no arguments"
	}
	return strings.Trim(fmt.Sprintf("%q", args), "[]")
}

// refuseUnknownTopics makes help for a command that is not there a mistake, not
// the help of the whole.
func refuseUnknownTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		panic("cli: no help command") // the line above makes it
	}
	help.Example = "  ibscope help discover"
	show := help.Run
	help.Run = nil
	help.RunE = func(c *cobra.Command, args []string) error {
		if _, _, err := root.Find(args); err != nil {
			return err
		}
		show(c, args)
		return nil
	}
}

// appletCommand makes a drop-in tool a subcommand, which parses its own options.
func appletCommand(e *Env, a applets.Applet, code *int) *cobra.Command {
	c := &cobra.Command{
		Use:                a.Tool.Name,
		Short:              a.Tool.Summary,
		GroupID:            groupTools,
		DisableFlagParsing: true,
		Run: func(c *cobra.Command, args []string) {
			*code = a.Run(c.Context(), e.WithArgs(append([]string{a.Tool.Name}, args...)...))
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return completeTool(e, a.Tool, args, typed)
		},
	}
	c.SetHelpFunc(func(c *cobra.Command, _ []string) {
		*code = a.Run(c.Context(), e.WithArgs(a.Tool.Name, "-h"))
	})
	return c
}
