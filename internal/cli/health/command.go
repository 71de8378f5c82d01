// Package health is the command "ibscope health".
package health

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// settings are the flags of the command.
type settings struct {
	sweep      sweep.Flags
	print      report.Flags
	nameMap    string
	counters   string // auto, on, off
	file       string // of thresholds
	thresholds []string
	firmware   bool
	routes     bool
	all        bool
}

const exitStatus = `0: healthy: nothing was found beyond notes, and nothing could not be read.
1: failed: there is no fabric.
2: a mistake in the command line.
3: the report was printed, and something could not be read.
4: the report is complete, and something was found.`

// asText is the value of --output for people.
const asText = "text"

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{print: report.Flags{Own: []string{asText}, Format: asText}}
	c := &cobra.Command{
		Use:   "health",
		Short: "Tell whether a fabric is in order, and what is not",
		Long: `Health looks at a fabric, live, simulated or stored, and gives one verdict:
healthy, degraded, or failing where something is critical. What it found comes with
where it is, what it rests on and what to do, the worst first; notes are no reason
for another verdict.

It looks at what could not be read; LIDs and GUIDs that are missing or used twice;
the subnet managers; links that are not active, or whose ends disagree; their width,
speed and MTU; ports that cannot bring their link up; counters of errors; hosts with
fewer links than their peers, which are those whose names differ in digits only;
switches with fewer links up than others of their tier and model; cables that do not
fit the shape of the fabric. On request also at the firmware and the forwarding
tables. The last lines tell what it looked at, and at what it could not.

Counters are read of live fabrics, and of snapshots that have them. Without other
thresholds each error counts, as for "ibscope errors". They have counted since they
were set to 0 last: --threshold, or "ibscope errors --interval", tells old ones from
new ones.`,
		Example: `  ibscope health
  ibscope health --threshold LinkDownedCounter=5 --threshold SymbolErrorCounter=100
  ibscope health --routes --firmware -o html --output-file health.html
  ibscope health --fabric file:monday.json.gz
  ibscope health --fabric 'sim:gpupod' -o json | jq -r .verdict`,
		Args:        cobra.NoArgs,
		RunE:        func(c *cobra.Command, _ []string) error { return s.run(c.Context(), e) },
		Annotations: map[string]string{env.ExitStatus: exitStatus},
	}
	f := c.Flags()
	s.sweep.Register(f)
	s.print.Register(c, columns)
	f.StringVar(&s.nameMap, "node-name-map", "", "read names of nodes from `FILE`")
	f.StringVar(&s.counters, "counters", "auto", "read counters: `WHEN` is on, off, or auto for where there are some")
	f.StringVar(&s.file, "thresholds", "", "read thresholds from `FILE`")
	f.StringArrayVar(&s.thresholds, "threshold", nil, "a counter is worth a word when it is more than N, `NAME=N`; NAME=off never")
	f.BoolVar(&s.firmware, "firmware", false, "ask devices for their firmware, and compare it by model")
	f.BoolVar(&s.routes, "routes", false, "read the forwarding tables, and follow all ways")
	f.BoolVar(&s.all, "all", false, "print all findings, and not only the first of each kind")
	return c
}

// check finds mistakes of usage.
func (s *settings) check() error {
	if !slices.Contains([]string{"auto", "on", "off"}, s.counters) {
		return env.Exitf(env.Usage, "--counters %s: expected on, off or auto", s.counters)
	}
	if s.counters == "off" && (s.file != "" || len(s.thresholds) > 0) {
		return env.Exitf(env.Usage, "thresholds say nothing with --counters off")
	}
	return s.print.Check(columns)
}
