// Package nodes is the command "ibscope nodes".
package nodes

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
	types    []string
	roles    []string
	firmware bool
}

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "nodes",
		Short: "List nodes with roles, ports, models and hosts",
		Long: `Nodes lists the channel adapters, switches and routers of a fabric: what they are
for, how many of their ports are active, what they are made of, and in which host.

Roles are host, storage, management, gateway (adapters), aggregation (SHARP), leaf,
spine, core, switch (no host can be reached from it) and router. They follow from
the wiring, the device IDs and the names of hosts; the host of an adapter from its
description, or from its system image GUID.

--firmware asks each NVIDIA device for its firmware and its board (PSID), which only
the vendor class tells: one request a node. A device that does not answer is a
problem, listed on standard error.

A table that is too wide for the terminal goes without its less important columns
and says so; CSV and JSON have all of them. The columns:
` + report.ColumnHelp(columns),
		Example: `  ibscope nodes --type switch
  ibscope nodes --role leaf,spine --sort role,name
  ibscope nodes --node 'node01*' --columns name,guid,lid,host
  ibscope nodes --firmware --columns name,model,firmware,psid --sort firmware
  ibscope nodes -o json | jq -r '.nodes[] | select(.ports_active == 0) | .name'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return s.run(c.Context(), e) },
	}
	f := c.Flags()
	s.sweep.Register(f)
	s.print.Register(c, columns)
	s.nodes.Register(f)
	f.StringVar(&s.nameMap, "node-name-map", "", "read names of nodes from `FILE`")
	f.StringSliceVar(&s.types, "type", nil, "only nodes of these types, a `LIST` of ca, switch, router")
	f.StringSliceVar(&s.roles, "role", nil, "only nodes with these roles, a `LIST`")
	f.BoolVar(&s.firmware, "firmware", false, "ask for the firmware and the board of each device")
	return c
}
