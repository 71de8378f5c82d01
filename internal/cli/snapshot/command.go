// Package snapshot is the command "ibscope snapshot".
package snapshot

import (
	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// settings are the flags of the command.
type settings struct {
	sweep.Flags
	file     string
	counters bool
	routes   bool
	sa       bool
	firmware bool
	all      bool
	smKey    string
}

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "snapshot",
		Short: "Keep all that can be read of a fabric in a file",
		Long: `Snapshot sweeps the fabric and writes one compressed file with all that was read:
the attributes of nodes and ports as they were on the wire, the links, and what went
wrong, and what the subnet managers tell of themselves; on request the counters of
all ports, the forwarding tables of all switches, the fabric as the subnet manager
knows it, and the firmware of NVIDIA's devices.

Every command reads the file: file:FILE is the stored fabric, and sim:FILE a
simulated one that routes by the stored tables and has the stored counters. Its name
is printed; without -o it is fabric-TIME.json.gz in the working directory. What is in
it docs/snapshot.md tells.

What could not be read is listed on standard error, one line each, and the exit
status is 3; the file holds everything else. An interrupt (Ctrl-C) ends the reading
early in the same way.

The file holds names, GUIDs and, where they could be read, M_Keys. Before it leaves
your site, "ibscope anonymize" takes them out.`,
		Example: `  ibscope snapshot
  ibscope snapshot --all -o monday.json.gz
  ibscope discover --fabric file:monday.json.gz
  IBSCOPE_FABRIC=sim:monday.json.gz ibscope ibtracert 1 17
  ibscope snapshot --fabric file:old.topo -o old.json.gz    # what a file of another format has
  zcat monday.json.gz | jq -r '.fabric.nodes[].description'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return s.run(c.Context(), e) },
		Annotations: map[string]string{env.ExitStatus: `0: the file holds all that was asked for.
1: there is no fabric, or no file.
2: a mistake in the command line.
3: the file was written, and something is missing in it.`},
	}
	s.Register(c.Flags())
	c.Flags().StringVarP(&s.file, "output", "o", "", "write to `FILE`, which is replaced when it is complete; - is standard output")
	c.Flags().BoolVar(&s.counters, "counters", false, "read the counters of all ports")
	c.Flags().BoolVar(&s.routes, "routes", false, "read the forwarding tables of all switches")
	c.Flags().BoolVar(&s.sa, "sa", false, "ask the subnet manager for what it knows too")
	c.Flags().BoolVar(&s.firmware, "firmware", false, "ask devices for their firmware")
	c.Flags().BoolVar(&s.all, "all", false, "the same as --counters --routes --sa --firmware")
	c.Flags().StringVar(&s.smKey, "sm-key", "", "with --sa, the SM_Key of the queries, a `NUMBER`")
	return c
}
