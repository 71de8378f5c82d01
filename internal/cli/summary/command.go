// Package summary is the command "ibscope summary".
package summary

import (
	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// settings are the flags of the command.
type settings struct {
	sweep.Flags
	print    report.Flags
	nameMap  string
	limit    int
	collapse bool
}

// The formats that are not tables of the lines.
const (
	asText = "text"
	asJSON = "json" // has all hosts and nodes
)

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{print: report.Flags{Own: []string{asText, asJSON}, Format: asText}}
	c := &cobra.Command{
		Use:   "summary",
		Short: "Say how a fabric is built: shape, tiers, hosts, rails, and what is odd",
		Long: `Summary sweeps a fabric, or reads a stored one, and says how it is built: whether its
switches form a fat tree, a dragonfly or dragonfly+, a torus, mesh, hypercube or
HyperX; the switches and links of each tier and how far it is oversubscribed; pods or
groups; rails and planes; how many hosts there are, storage, management and gateways
apart, and SHARP aggregation nodes, which are no hosts. Links that do not fit are
listed. Beside that it has all that the summary of "ibscope discover" has.

Tiers are counted from the hosts: leaves are tier 1. A fabric from which a few nodes
and links are missing is still recognised. What fits no shape is irregular.

As JSON there are also all hosts with their adapters, and the role and place of each
node with the reason for it. As table, CSV, Markdown and HTML there is a line for
each thing that is counted; the columns:
` + report.ColumnHelp(columns),
		Example: `  ibscope summary
  ibscope summary --fabric file:fabric.topo
  ibscope summary --collapse-chassis                # a director is one switch
  ibscope summary -o json | jq -r '.topology.places[] | select(.role=="spine").guid'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return s.run(c.Context(), e) },
	}
	s.Register(c.Flags())
	s.print.Register(c, columns)
	c.Flags().StringVar(&s.nameMap, "node-name-map", "", "read names of nodes from `FILE`")
	c.Flags().IntVar(&s.limit, "limit", 10, "list at most `N` links, parts or problems each, in text")
	c.Flags().BoolVar(&s.collapse, "collapse-chassis", false, "take the switch chips of a director for one switch")
	return c
}
