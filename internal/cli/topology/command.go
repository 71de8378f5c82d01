// Package topology is the command "ibscope topology".
package topology

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
)

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	c := &cobra.Command{
		Use:   "topology",
		Short: "Write a fabric's topology for schedulers and graph tools",
		Long: `Topology writes how hosts are joined for programs that place jobs (Slurm, Kubernetes),
and the whole fabric for programs that draw or examine graphs. "ibscope summary" tells
the same to people.`,
		Example: `  ibscope topology slurm --output-file /etc/slurm/topology.conf
  ibscope topology k8s | jq -c '.nodes[]'
  ibscope topology graph -o graphml --output-file fabric.graphml`,
		Args: cobra.NoArgs, // what is not the name of a subcommand
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(slurmCommand(e), kubernetesCommand(e), graphCommand(e))
	return c
}

const exitStatus = `0: the output is complete; hosts without a name are told of on stderr.
1: nothing was written.
2: a mistake in the command line.
3: not all of the fabric could be read; the output is what is known.`

// complete registers the words that an option takes.
func complete(c *cobra.Command, flag string, words []string) {
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(fmt.Sprintf("topology: %v", err)) // the flag is there
	}
}
