// Package simexport is the command "ibscope sim export".
package simexport

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
)

// settings are the flags of the command.
type settings struct {
	format string
}

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "export [flags] URI [FILE]",
		Short: "Write a simulated fabric to a file",
		Long: `Export writes the whole of a simulated fabric, sim:FILE or
sim:GENERATOR?ARGUMENTS, also what a sweep from its start would not find. FILE is
replaced when the output is complete; without it the fabric goes to standard
output.

Formats:

  ibnetdiscover  the text of ibnetdiscover
  ibsim          a topology for ibsim: has no port GUIDs, and ibsim 0.10 runs
                 NDR and XDR links at HDR
  cache          the file of ibnetdiscover --cache, with all attributes but FDR10
  snapshot       the file of ibscope snapshot, with all attributes
  json, ndjson   one object, or one a line; for other programs
  dot            a drawing for Graphviz

The first four can be read again, as sim:FILE and file:FILE, and the first two
by ibsim.`,
		Example: `  ibscope sim export -o ibsim 'sim:gpupod?units=2&speed=hdr' pod.net && ibsim -s pod.net
  ibscope sim export 'sim:torus?dims=4x4x4' | ibscope discover --fabric file:/dev/stdin
  ibscope sim export -o cache sim:director director.cache
  ibscope sim export -o dot sim:dragonfly | dot -Tsvg > dragonfly.svg`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			file := ""
			if len(args) > 1 {
				file = args[1]
			}
			return s.run(e, args[0], file)
		},
	}
	c.Flags().StringVarP(&s.format, "output", "o", targets[0].name, "write a `FORMAT`: "+strings.Join(formatNames(), ", "))
	if err := c.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(formatNames(), cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(fmt.Sprintf("sim export: %v", err)) // the flag is the one above
	}
	return c
}
