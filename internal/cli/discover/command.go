// Package discover is the command "ibscope discover".
package discover

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// settings are the flags of the command.
type settings struct {
	sweep.Flags
	format  string
	file    string
	nameMap string
	sa      bool
	smKey   string
}

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "discover",
		Short: "Discover a fabric and show what is there and what is wrong",
		Long: `Discover sweeps a fabric and prints it: by default a summary of its nodes,
its links, the links that run below what both ends support, and its problems.
Other outputs hold the whole fabric.

What could not be read is listed on standard error, one line each, and the exit
status is 3; the output holds everything else. An interrupt (Ctrl-C) ends the
sweep early in the same way. A stored fabric (file:FILE) is printed as it is.

With --sa the nodes are not asked: the fabric is what its subnet manager knows, read
as a few tables of subnet administration. "ibscope compare" shows where the two
views differ.`,
		Example: `  ibscope discover                                  # from the first active port
  ibscope discover --fabric umad:mlx5_0/1 -o json --output-file fabric.json
  ibscope discover --fabric 'sim:fattree?levels=3&radix=64&hosts=1024'
  ibscope discover --from guid:0xec0d9a0300abcdef --max-hops 1
  ibscope discover --sa -o json                     # as the subnet manager sees it
  ibscope discover --fabric file:yesterday.topo -o dot | dot -Tsvg > fabric.svg`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return s.run(c.Context(), e) },
	}
	s.Register(c.Flags())
	c.Flags().StringVarP(&s.format, "output", "o", "summary", "print a `FORMAT`: "+strings.Join(formatNames(), ", "))
	c.Flags().StringVar(&s.file, "output-file", "", "write to `FILE`, which is replaced when the output is complete")
	c.Flags().StringVar(&s.nameMap, "node-name-map", "", "read names of nodes from `FILE`")
	c.Flags().BoolVar(&s.sa, "sa", false, "ask the subnet manager for what it knows, not the nodes")
	c.Flags().StringVar(&s.smKey, "sm-key", "", "with --sa, the SM_Key of the queries, a `NUMBER`")
	if err := c.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(formatNames(), cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(fmt.Sprintf("discover: %v", err)) // the flag is the one above
	}
	return c
}
