// Package errors is the command "ibscope errors".
package errors

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/choose"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// settings are the flags of the command.
type settings struct {
	sweep      sweep.Flags
	print      report.Flags
	nodes      choose.Nodes
	nameMap    string
	file       string   // of thresholds
	thresholds []string // NAME=N
	interval   time.Duration
	earlier    string // snapshot
	rising     bool
	explain    bool
}

const exitStatus = `0: complete, and no counter is beyond its threshold.
1: failed.
2: a mistake in the command line.
3: the report was printed, but counters could not be read that may be beyond their thresholds.
4: complete, and counters are beyond their thresholds.`

// Command makes the command.
func Command(e *env.Env) *cobra.Command { return command(e, &settings{}) }

func command(e *env.Env, s *settings) *cobra.Command {
	c := &cobra.Command{
		Use:   "errors",
		Short: "List counters of errors that are beyond their thresholds",
		Long: `Errors reads the counters of errors of all ports and lists those that are beyond
their thresholds, with both ends of the link, the worst first: faults of cables and
ports, then lost packets, then signs of load or of trouble elsewhere; among them by
rate, where it is known, those that stand at the end of their field, and by value.

Without other thresholds each error counts, but for PortXmitWait, which moves on
every busy fabric. A file of thresholds has lines like SymbolErrorCounter=10, as for
ibqueryerrors (/etc/infiniband-diags/error_thresholds).

--interval reads all counters twice and tells how fast they count, by the true times
of both readings. In place of a rate it says "saturated" where a counter stands at
the end of its field, "reset" where somebody has set it to 0, and "absent" where it
was not read both times. --earlier does the same with the counters of a snapshot that
was taken before, of a fabric that answers or of a later snapshot.

--explain tells of each counter that is listed what it means, what mostly makes it
count, and what to do.

Counters of a stored fabric are those of a snapshot. A table that is too wide for
the terminal goes without its less important columns and says so; CSV and JSON have
all of them. The columns:
` + report.ColumnHelp(columns),
		Example: `  ibscope errors
  ibscope errors --interval 10s --rising --explain
  ibscope errors --earlier monday.json.gz --rising
  ibscope errors --threshold SymbolErrorCounter=10 --threshold PortXmitWait=1000000
  ibscope errors --thresholds /etc/infiniband-diags/error_thresholds --node 'leaf*'
  ibscope errors --threshold PortRcvSwitchRelayErrors=off -o html --output-file errors.html
  ibscope errors >/dev/null; [ $? -eq 4 ] && echo "there are errors"`,
		Args:        cobra.NoArgs,
		RunE:        func(c *cobra.Command, _ []string) error { return s.run(c.Context(), e) },
		Annotations: map[string]string{env.ExitStatus: exitStatus},
	}
	f := c.Flags()
	s.sweep.Register(f)
	s.print.Register(c, columns)
	s.nodes.Register(f)
	f.StringVar(&s.nameMap, "node-name-map", "", "read names of nodes from `FILE`")
	f.StringVar(&s.file, "thresholds", "", "read thresholds from `FILE`")
	f.StringArrayVar(&s.thresholds, "threshold", nil, "list a counter when it is more than N, `NAME=N`; NAME=off never")
	f.DurationVar(&s.interval, "interval", 0, "read again after `TIME`, and tell the rates")
	f.StringVar(&s.earlier, "earlier", "", "tell the rates since a snapshot with counters was taken, a `FILE`")
	f.BoolVar(&s.rising, "rising", false, "with --interval or --earlier: only counters that have counted meanwhile")
	f.BoolVar(&s.explain, "explain", false, "tell what the counters mean and what to do")
	return c
}
