// Package history is the command "ibscope history".
package history

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/past"
	"github.com/ibscope/ibscope/internal/cli/report"
)

const exitStatus = `0: what is stored was printed.
1: there is no history, it cannot be read, or it has no such fabric or node.
2: a mistake in the command line.`

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	var from past.Flags
	var print report.Flags
	c := &cobra.Command{
		Use:   "history",
		Short: "Show what a service has stored: earlier fabrics, rates, events",
		Long: `History shows what "ibscope serve --state DIRECTORY" has stored, while it runs or
not: of each fabric its earlier states, the rates of its ports and the events, from
when to when, how many, and what they take.

The commands below it show a port's rates, a node, and the states of a fabric, and
make a file of one. "ibscope events" lists events; "ibscope diff --since 24h" tells
what is different. Times are in UTC. The columns:
` + report.ColumnHelp(summaryColumns),
		Example: `  ibscope history
  ibscope history port leaf01 5 --since 2h
  ibscope history save --at '2026-03-01 10:00' --output-file then.json.gz`,
		Args:        cobra.NoArgs,
		RunE:        func(c *cobra.Command, _ []string) error { return summary(c.Context(), e, &from, &print) },
		Annotations: map[string]string{env.ExitStatus: exitStatus},
	}
	from.Register(c.Flags(), "fabric")
	print.Register(c, summaryColumns)
	c.AddCommand(portCommand(e), nodeCommand(e), snapshotsCommand(e), saveCommand(e))
	return c
}

// settings are the flags that the commands below have in common.
type settings struct {
	from    past.Flags
	span    past.Span
	print   report.Flags
	nameMap string
}

// register adds the flags of a command with a report of a span of time.
func (s *settings) register(c *cobra.Command, columns []report.Column, since string) {
	s.from.Register(c.Flags(), "fabric")
	s.span.Register(c.Flags(), since)
	s.print.Register(c, columns)
	c.Annotations = map[string]string{env.ExitStatus: exitStatus}
}

func portCommand(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "port NODE PORT",
		Short: "Show the rates of a port over time",
		Long: `Port shows how much a port has sent and received, its congestion and its errors:
for each pass over the counters where that is still stored, before that for each 5
minutes, hour or day. NODE is a name, a pattern that fits one node, or a GUID.

Rates are right to 0.05 %. What is not known is left out. The columns:
` + report.ColumnHelp(portColumns),
		Example: `  ibscope history port leaf01 5
  ibscope history port 0x0002c90300000020 1 --since 30d -o csv
  ibscope history port 'leaf01*' 5 --since 2d --sort -xmit_max_bytes_per_second`,
		Args:              cobra.ExactArgs(2),
		RunE:              func(c *cobra.Command, args []string) error { return s.port(c.Context(), e, args[0], args[1]) },
		ValidArgsFunction: s.from.CompleteNodes,
	}
	s.register(c, portColumns, "24h")
	c.Flags().StringVar(&s.nameMap, "node-name-map", "", "read names of nodes from `FILE`")
	return c
}

func nodeCommand(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "node NODE",
		Short: "Show the ports of a node over a time, and its events",
		Long: `Node shows each port of a node: its link at the end of the time, the mean and the
most of its rates, its congestion and its errors; and below it the events of the
node. NODE is a name, a pattern that fits one node, or a GUID. The columns:
` + report.ColumnHelp(nodeColumns),
		Example: `  ibscope history node leaf01
  ibscope history node 'node0007*' --since 7d --sort -errors
  ibscope history node leaf01 -o json | jq '.events[].message'`,
		Args:              cobra.ExactArgs(1),
		RunE:              func(c *cobra.Command, args []string) error { return s.node(c.Context(), e, args[0]) },
		ValidArgsFunction: s.from.CompleteNodes,
	}
	s.register(c, nodeColumns, "24h")
	c.Flags().StringVar(&s.nameMap, "node-name-map", "", "read names of nodes from `FILE`")
	return c
}

func snapshotsCommand(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "snapshots",
		Short: "List the states of a fabric that are stored",
		Long: `Snapshots lists when a fabric was different from what it was before: each line is a
state that stood from one sweep to another. The columns:
` + report.ColumnHelp(snapshotColumns),
		Example: `  ibscope history snapshots --since 7d
  ibscope history snapshots -o json | jq -r '.snapshots[-1].first'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return s.snapshots(c.Context(), e) },
	}
	s.register(c, snapshotColumns, "")
	return c
}

func saveCommand(e *env.Env) *cobra.Command {
	var from past.Flags
	var at, file string
	c := &cobra.Command{
		Use:   "save",
		Short: "Make a snapshot file of a fabric as it was",
		Long: `Save writes the fabric as it was at a time to a file as "ibscope snapshot" does,
which every other command reads: file:FILE is the stored fabric, sim:FILE a simulated
one. It has no counters.`,
		Example: `  ibscope history save --at 24h --output-file yesterday.json.gz
  ibscope links --fabric file:yesterday.json.gz --degraded
  ibscope history save --at '2026-03-01 10:00' --output-file - | zcat | head -1`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return save(c.Context(), e, &from, at, file) },
		Annotations: map[string]string{env.ExitStatus: `0: the file was written.
1: there is no history, or nothing of that time, or no file could be written.
2: a mistake in the command line.`},
	}
	from.Register(c.Flags(), "fabric")
	c.Flags().StringVar(&at, "at", "", "as it was at this `TIME`: how long ago, as 24h or 7d, or 2026-03-01, \"2026-03-01 10:00\"; without it, the last that is known")
	c.Flags().StringVar(&file, "output-file", "", "write to `FILE`, which is replaced when it is complete; - is standard output; without it, NAME-TIME.json.gz")
	return c
}

// check finds mistakes of usage.
func (s *settings) check(_ context.Context, e *env.Env, columns []report.Column) error {
	if err := s.print.Check(columns); err != nil {
		return err
	}
	return s.span.Check(e.Now())
}
