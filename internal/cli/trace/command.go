// Package trace is the command "ibscope trace".
package trace

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/live"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// settings are the flags of the command.
type settings struct {
	sweep    sweep.Flags
	print    report.Flags
	nameMap  string
	live     bool
	counters bool
}

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "trace FROM TO",
		Short: "Follow the way of packets from one port to another",
		Long: `Trace follows the forwarding tables of the switches from one port to another,
and lists each node on the way with the ports of both sides, and the state and
rate of the link by which packets leave. A destination with several LIDs has a
way to each. Where a way does not arrive the last line says where it ends, and
why.

FROM and TO are a LID (17 or lid:17), the GUID of a node or port
(0x506b4b0300ab12cd or guid:…), or a name: that of the node name map, the
description, or a part of it as "leaf01" or "node7". NAME/PORT is a port of an
adapter with several.

The tables are read from the switches as they are needed, or come from a
snapshot of "ibscope snapshot --routes". With --live the fabric's map is not
trusted: each node is asked by directed route who it is, and the next one is
what answers there. The columns:
` + report.ColumnHelp(columns),
		Example: `  ibscope trace node0001 node0017
  ibscope trace 4 0x506b4b0300ab12cd --live
  ibscope trace "node0001 mlx5_1" leaf02 --counters
  ibscope trace 1 17 --fabric file:monday.json.gz -o json`,
		Args:        cobra.ExactArgs(2),
		RunE:        func(c *cobra.Command, args []string) error { return s.run(c.Context(), e, args[0], args[1]) },
		Annotations: map[string]string{env.ExitStatus: exitStatus},
		ValidArgsFunction: func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			if strings.HasPrefix(typed, "0x") {
				return live.GUIDs(e, s.sweep.URI(e), typed), cobra.ShellCompDirectiveNoFileComp
			}
			return live.LIDs(e, s.sweep.URI(e), typed), cobra.ShellCompDirectiveNoFileComp
		},
	}
	f := c.Flags()
	s.sweep.Register(f)
	s.print.Register(c, columns)
	f.StringVar(&s.nameMap, "node-name-map", "", "read names of nodes from `FILE`")
	f.BoolVar(&s.live, "live", false, "ask node by node, by directed route, instead of following the tables on the map")
	f.BoolVar(&s.counters, "counters", false, "read the errors of the ports on the way")
	return c
}

const exitStatus = `0: all ways arrive.
1: there is no fabric, none of its switches' tables, or no such port.
2: a mistake in the command line.
3: something could not be read.
4: a way does not arrive.`
