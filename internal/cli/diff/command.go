// Package diff is the command "ibscope diff".
package diff

import (
	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/differences"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// settings are the flags of the command.
type settings struct {
	sweep    sweep.Flags
	print    differences.Flags
	nameMap  string
	routes   bool
	firmware bool
	without  []string
	history  history
}

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "diff A [B] | diff --since TIME [B]",
		Short: "Compare two fabrics, or one with what it was",
		Long: `Diff lists the differences of two fabrics: nodes that came, went, were replaced
or have another name, links that came, went or lead elsewhere, and other rates,
LIDs, states and capabilities. Each names both ends. With -o text each is a line
for grep, whatever its length.

A and B are files or fabric URIs; without B it is the fabric of --fabric. With
--routes the forwarding tables are compared too: one line for each switch that
sends to some destinations by another port, as LID:PORT. Firmware is compared where
both have it: a snapshot of "snapshot --firmware", and a fabric that answers with
--firmware, which asks NVIDIA's devices.

With --since A comes from the history that "ibscope serve --state" keeps: the fabric
as it was at that time. B is then that of --at, or an argument, or the fabric of
--fabric; without any of them it is the last one that the history knows.

Nodes are matched by GUID. Only what both fabrics know is compared: the fields
of --without are left out, as state or lid. The columns:
` + differences.Help(),
		Example: `  ibscope diff monday.json.gz
  ibscope diff monday.json.gz tuesday.json.gz --routes
  ibscope diff good.topo umad:mlx5_0/1 -o json | jq -r '.changes[].message'
  ibscope diff monday.json.gz --without=state,phys-state,lid
  ibscope diff --since 24h
  ibscope diff --since 7d --at 6d --db /srv/ibscope/history.db`,
		Args:        s.args,
		RunE:        func(c *cobra.Command, args []string) error { return s.run(c.Context(), e, args) },
		Annotations: map[string]string{env.ExitStatus: exitStatus},
	}
	f := c.Flags()
	s.sweep.Register(f)
	s.print.Register(c)
	s.history.register(c)
	f.StringVar(&s.nameMap, "node-name-map", "", "read names of nodes from `FILE`")
	f.BoolVar(&s.routes, "routes", false, "compare the forwarding tables too")
	f.BoolVar(&s.firmware, "firmware", false, "ask devices for their firmware, and compare it")
	f.StringSliceVar(&s.without, "without", nil, "leave these fields out, a `LIST` with commas")
	return c
}

const exitStatus = `0: the fabrics are the same, and complete.
1: one of them could not be had.
2: a mistake in the command line.
3: a part of one is missing.
4: they differ.`
