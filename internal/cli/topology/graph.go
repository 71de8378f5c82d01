package topology

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format/cytoscape"
	"github.com/ibscope/ibscope/format/dot"
	"github.com/ibscope/ibscope/format/graphml"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/cli/output"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// graphSettings are the flags of the subcommand.
type graphSettings struct {
	sweep   sweep.Flags
	format  string
	file    string
	nameMap string
}

var graphFormats = []string{"graphml", "dot", "cytoscape"}

func graphCommand(e *env.Env) *cobra.Command {
	s := &graphSettings{}
	c := &cobra.Command{
		Use:   "graph",
		Short: "Write a fabric as GraphML, DOT or JSON of Cytoscape",
		Long: `Graph writes all nodes and links of a fabric, with what is known of them:

  graphml    for yEd, Gephi, igraph, NetworkX
  dot        for Graphviz, a row for each tier of switches
  cytoscape  JSON for Cytoscape and Cytoscape.js

Nodes have label, type, guid, description, model, ports, lid, role, tier, part, group,
plane, rail and host; links have source_port and target_port, the labels of both ports on
the panel, width, speed, gbps, state, degraded and one_way. In DOT the names begin
with ib_. What is not known or does not apply is left out.`,
		Example: `  ibscope topology graph -o graphml --output-file fabric.graphml
  ibscope topology graph -o dot | dot -Tsvg >fabric.svg
  ibscope topology graph -o cytoscape | jq '.elements.nodes[].data | select(.role == "spine")'`,
		Args:        cobra.NoArgs,
		RunE:        func(c *cobra.Command, _ []string) error { return s.run(c.Context(), e) },
		Annotations: map[string]string{env.ExitStatus: exitStatus},
	}
	s.sweep.Register(c.Flags())
	c.Flags().StringVarP(&s.format, "output", "o", "graphml", "write `FORMAT`: "+strings.Join(graphFormats, ", "))
	c.Flags().StringVar(&s.file, "output-file", "", "write to `FILE`, which is replaced when the output is complete")
	c.Flags().StringVar(&s.nameMap, "node-name-map", "", "read names of nodes from `FILE`")
	complete(c, "output", graphFormats)
	return c
}

func (s *graphSettings) run(ctx context.Context, e *env.Env) error {
	nameMap, err := names.Load(e, s.nameMap)
	if err != nil {
		return env.Exitf(env.Failed, "--node-name-map: %w", err)
	}
	write := s.writer(names.Of(nameMap))
	if write == nil {
		return env.Exitf(env.Usage, "--output %s: there are %s", s.format, strings.Join(graphFormats, ", "))
	}
	f, early := sweepOne(ctx, e, &s.sweep)
	if f == nil {
		return early
	}
	if err := output.Write(s.file, e.Stdout, func(w io.Writer) error { return write(w, f) }); err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	if early != nil {
		return &env.ExitError{Code: env.Incomplete, Err: early}
	}
	return nil
}

// writer is what writes the format, nil for one that is not known.
func (s *graphSettings) writer(name func(*fabric.Node) (string, bool)) func(io.Writer, *fabric.Fabric) error {
	switch s.format {
	case "graphml":
		return func(w io.Writer, f *fabric.Fabric) error {
			return graphml.Write(w, f, &graphml.Options{Name: name, Topology: topology.Classify(f, nil)})
		}
	case "cytoscape":
		return func(w io.Writer, f *fabric.Fabric) error {
			return cytoscape.Write(w, f, &cytoscape.Options{Name: name, Topology: topology.Classify(f, nil)})
		}
	case "dot":
		return func(w io.Writer, f *fabric.Fabric) error {
			return dot.Write(w, f, &dot.Options{Name: name, Topology: topology.Classify(f, nil)})
		}
	}
	return nil
}
