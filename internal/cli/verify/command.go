// Package verify is the command "ibscope verify".
package verify

import (
	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// settings are the flags of the command.
type settings struct {
	sweep   sweep.Flags
	print   report.Flags
	nameMap string
	partial bool

	planProblems []report.Problem // of a plan that is a fabric
}

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "verify PLAN",
		Short: "Compare the wiring with a plan, and say what to do at the rack",
		Long: `Verify compares the cables of a fabric with a plan of them, and lists each
fault with what to do about it: cables that are missing, not in the plan, in
the wrong port, in each other's places, or too slow, and nodes that another one
has taken the place of.

PLAN is one of
  a stored fabric    the wiring of another time: a snapshot, or another file
  a cabling list     CSV with from node, from port, to node, to port, and as far
                     as known label, speed, width
  a .topo file       of ibutils; nodes are found by their names
  rules              YAML, as "every leaf has 2 links to each spine"
  a fabric URI       as sim:fattree?…, the wiring of a fabric that answers
docs/verify.md describes lists and rules.

A link that is faster than the plan wants is no fault. Links inside of a
chassis and to the aggregation nodes of switches are not looked at where the
plan has none. The columns:
` + report.ColumnHelp(columns),
		Example: `  ibscope snapshot -o good.json.gz          # when all is well
  ibscope verify good.json.gz
  ibscope verify cabling.csv --node-name-map /etc/opensm/ib-node-name-map
  ibscope verify rules.yaml --fabric file:monday.json.gz
  ibscope verify cabling.csv -o html --output-file work-orders.html
  ibscope verify cabling.csv --partial      # the list does not have all cables`,
		Args:        cobra.ExactArgs(1),
		RunE:        func(c *cobra.Command, args []string) error { return s.run(c.Context(), e, args[0]) },
		Annotations: map[string]string{env.ExitStatus: exitStatus},
	}
	f := c.Flags()
	s.sweep.Register(f)
	s.print.Register(c, columns)
	f.StringVar(&s.nameMap, "node-name-map", "", "read names of nodes from `FILE`: plans may use them")
	f.BoolVar(&s.partial, "partial", false, "the plan has not all cables: pass over those that it does not name")
	return c
}

const exitStatus = `0: the wiring is as planned.
1: there is no fabric, or no plan.
2: a mistake in the command line, or in the plan.
3: something could not be looked at.
4: something is not as planned.`
