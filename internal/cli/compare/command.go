// Package compare is the command "ibscope compare".
package compare

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
	smKey   string
}

var formats = []string{"text", "json"}

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "compare",
		Short: "Compare what the nodes tell with what the subnet manager knows",
		Long: `Compare sweeps the fabric, reads the subnet manager's records of it, and lists
where the two differ: nodes, links and ports that only one of them has, links that
lead elsewhere, other LIDs, states, rates and descriptions. Each difference is a
line that names both ends.

A manager that keeps up with its fabric differs only for moments. What stays is
what it has missed, or cannot reach.`,
		Example: `  ibscope compare
  ibscope compare --fabric umad:mlx5_0/1 -o json | jq -r '.changes[].message'
  ibscope compare >/dev/null && echo "the subnet manager knows its fabric"`,
		Args:        cobra.NoArgs,
		RunE:        func(c *cobra.Command, _ []string) error { return s.run(c.Context(), e) },
		Annotations: map[string]string{env.ExitStatus: exitStatus},
	}
	s.Register(c.Flags())
	c.Flags().StringVarP(&s.format, "output", "o", "text", "print a `FORMAT`: "+strings.Join(formats, ", "))
	c.Flags().StringVar(&s.file, "output-file", "", "write to `FILE`, which is replaced when the output is complete")
	c.Flags().StringVar(&s.nameMap, "node-name-map", "", "read names of nodes from `FILE`")
	c.Flags().StringVar(&s.smKey, "sm-key", "", "the SM_Key of the queries, a `NUMBER`")
	if err := c.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(fmt.Sprintf("compare: %v", err)) // the flag is the one above
	}
	return c
}

const exitStatus = `0: both views are the same, and complete.
1: one of the views could not be had.
2: a mistake in the command line.
3: a part of a view is missing.
4: the views differ.`
