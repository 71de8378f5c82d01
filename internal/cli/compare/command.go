// Package compare is the command "ibscope compare".
package compare

import (
	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/differences"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// settings are the flags of the command.
type settings struct {
	sweep.Flags
	print   differences.Flags
	nameMap string
	smKey   string
}

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "compare",
		Short: "Compare what the nodes tell with what the subnet manager knows",
		Long: `Compare sweeps the fabric, reads the subnet manager's records of it, and lists
where the two differ: nodes, links and ports that only one of them has, links that
lead elsewhere, other LIDs, states, rates and descriptions. Each names both ends;
A is what the nodes tell, B what the manager knows. With -o text each is a line for
grep. A snapshot that was taken with --sa has both views too.

A manager that keeps up with its fabric differs only for moments. What stays is
what it has missed, or cannot reach. The columns:
` + differences.Help(),
		Example: `  ibscope compare
  ibscope compare --fabric umad:mlx5_0/1 -o json | jq -r '.changes[].message'
  ibscope compare >/dev/null && echo "the subnet manager knows its fabric"`,
		Args:        cobra.NoArgs,
		RunE:        func(c *cobra.Command, _ []string) error { return s.run(c.Context(), e) },
		Annotations: map[string]string{env.ExitStatus: exitStatus},
	}
	s.Register(c.Flags())
	s.print.Register(c)
	c.Flags().StringVar(&s.nameMap, "node-name-map", "", "read names of nodes from `FILE`")
	c.Flags().StringVar(&s.smKey, "sm-key", "", "the SM_Key of the queries, a `NUMBER`")
	return c
}

const exitStatus = `0: both views are the same, and complete.
1: one of the views could not be had.
2: a mistake in the command line.
3: a part of a view is missing.
4: the views differ.`
