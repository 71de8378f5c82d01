// Package routes is the command "ibscope routes".
package routes

import (
	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// settings are the flags of both subcommands.
type settings struct {
	sweep   sweep.Flags
	print   report.Flags
	nameMap string
	lanes   bool // of check
}

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	c := &cobra.Command{
		Use:   "routes",
		Short: "Check the forwarding tables of all switches, and how they load the links",
		Long: `Routes looks at the forwarding tables of a fabric as a whole: read from its
switches, or stored in a snapshot of "ibscope snapshot --routes" or another
file that has them.`,
		Example: `  ibscope routes check
  ibscope routes load --sort -flows`,
		Args: cobra.NoArgs, // what is not the name of a subcommand
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(checkCommand(e), loadCommand(e))
	return c
}

func checkCommand(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "check",
		Short: "Find ways that do not arrive, and credit loops",
		Long: `Check follows the forwarding tables from each switch with adapters to each LID,
and lists where ways end that do not arrive:

  no-route     the switch has no port for the LID
  black-hole   it sends to a port without a link, or whose link is not active
  wrong-end    it sends to an adapter that does not have the LID
  loop         packets come back to a switch where they were
  no-lid       an adapter with a link has no LID
  credit-loop  links that can wait for each other's buffers for ever
  With --lanes also possible-credit-loop and no-lane, see below.

Ways that end in one place are one finding, with the first of them hop by hop:
leaf01[9] is port 9 of leaf01, by which packets leave. Of a credit loop each
line is a link, and the LID to which packets wait there for the next link.

Credit loops are looked for on the ways between adapters, as if all packets
shared one virtual lane. Where none is found there is none on any lane. One that
is found is real on links that have one lane only; else engines that part ways
by lanes (lash, dfsssp, torus-2QoS) may break it, which --lanes looks at: where
there is a loop on one lane it asks the subnet manager for the service levels of
all paths that could be part of it, and the switches for their SLtoVL tables, and
follows each packet on its lanes. A possible-credit-loop needs levels or tables
that could not be read; no-lane is packets that a switch drops, for its table has
no lane of the link for them. The manager answers with a record for each pair of
adapters: some minutes of a fabric with thousands.

The last part tells how many pairs of adapters use a link from one tier of
switches to the next, if all send to all; switches with adapters are tier 1.`,
		Example: `  ibscope routes check
  ibscope routes check --lanes
  ibscope snapshot --routes -o monday.json.gz
  ibscope routes check --fabric file:monday.json.gz
  ibscope routes check -o json | jq '.findings[] | select(.kind == "loop")'`,
		Args:        cobra.NoArgs,
		RunE:        func(c *cobra.Command, _ []string) error { return s.check(c.Context(), e) },
		Annotations: map[string]string{env.ExitStatus: exitStatus},
	}
	s.register(c, findingColumns)
	c.Flags().BoolVar(&s.lanes, "lanes", false, "look for credit loops on the virtual lanes that paths take, as the subnet manager and SLtoVL tables tell")
	return c
}

func loadCommand(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "load",
		Short: "List how the forwarding tables load the links between switches",
		Long: `Load lists each direction of each link between switches with the number of LIDs
of adapters that are reached by it, and of the flows that use it: pairs of an
adapter and a LID, if all send to all.`,
		Example: `  ibscope routes load --sort -flows
  ibscope routes load -o csv --output-file load.csv`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return s.load(c.Context(), e) },
		Annotations: map[string]string{env.ExitStatus: `0: the list is complete.
1: there is no fabric, or it has no forwarding tables.
2: a mistake in the command line.
3: the list was printed, and something is missing in it.`},
	}
	s.register(c, loadColumns)
	return c
}

func (s *settings) register(c *cobra.Command, columns []report.Column) {
	s.sweep.Register(c.Flags())
	s.print.Register(c, columns)
	c.Flags().StringVar(&s.nameMap, "node-name-map", "", "read names of nodes from `FILE`")
}

const exitStatus = `0: all ways arrive, and there is no credit loop.
1: there is no fabric, or it has no forwarding tables.
2: a mistake in the command line.
3: something could not be read.
4: something was found.`
