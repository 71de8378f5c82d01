// Package links is the command "ibscope links".
package links

import (
	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/choose"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// settings are the flags of the command.
type settings struct {
	sweep    sweep.Flags
	print    report.Flags
	nodes    choose.Nodes
	nameMap  string
	down     bool
	degraded bool
	errors   bool
	tier     int
	between  string
	and      string // the other pattern
}

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "links",
		Short: "List links with both ends, states and rates",
		Long: `Links lists each link of a fabric once: its two ends, its state, the width and the
speed that it runs at, and the best that both ends support where that is more.

Several filters together leave the links that fit all of them. --down also lists
ports that are down with nothing known at the other end: PhysState tells whether
they look for somebody (Polling) or have been turned off (Disabled). --errors reads
the counters of errors of both ends, and leaves the links where one of them is not 0
(but for PortXmitWait).

Tiers count from the hosts: 0 is hosts, 1 the switches that they are attached to.

A table that is too wide for the terminal goes without its less important columns
and says so; CSV and JSON have all of them. The columns:
` + report.ColumnHelp(columns),
		Example: `  ibscope links --degraded
  ibscope links --down --node 'leaf*'
  ibscope links --between 'leaf01*' 'spine*' --columns a.name,a.port,b.name,b.port,rate_gbps
  ibscope links --errors --sort -a.errors
  ibscope links -o csv --output-file links.csv
  ibscope links -o json | jq '.links[] | select(.degraded) | .a.name'`,
		Args: func(c *cobra.Command, args []string) error {
			if s.between == "" {
				return cobra.NoArgs(c, args)
			}
			return nil // run says what is missing
		},
		RunE: func(c *cobra.Command, args []string) error {
			if s.between != "" {
				if len(args) != 1 {
					return env.Exitf(env.Usage, "--between: expected two patterns, as in --between 'leaf*' 'spine*'")
				}
				s.and = args[0]
			}
			return s.run(c.Context(), e)
		},
	}
	f := c.Flags()
	s.sweep.Register(f)
	s.print.Register(c, columns)
	s.nodes.Register(f)
	f.StringVar(&s.nameMap, "node-name-map", "", "read names of nodes from `FILE`")
	f.BoolVar(&s.down, "down", false, "only links that are not active, and ports that are down")
	f.BoolVar(&s.degraded, "degraded", false, "only links that run narrower or slower than both ends support")
	f.BoolVar(&s.errors, "errors", false, "only links with errors, which are read")
	f.IntVar(&s.tier, "tier", -1, "only links between tier `N` and the next one")
	f.StringVar(&s.between, "between", "", "only links between nodes that fit a `PATTERN` and nodes that fit the one behind it")
	return c
}
