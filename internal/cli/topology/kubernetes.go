package topology

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/fabric/hosttree"
	"github.com/ibscope/ibscope/format/nodelabels"
	"github.com/ibscope/ibscope/internal/cli/env"
)

// kubernetesSettings are the flags of the subcommand.
type kubernetesSettings struct {
	hosts
	scheme string
}

func kubernetesCommand(e *env.Env) *cobra.Command {
	s := &kubernetesSettings{}
	c := &cobra.Command{
		Use:   "k8s",
		Short: "Write labels for Kubernetes nodes: leaf, spine, core",
		Long: `K8s writes where each compute host is in the network as labels of Kubernetes nodes,
as JSON. The keys are those of NVIDIA topograph:

  nvidia     network.topology.nvidia.com/leaf, …/spine, …/core
  topograph  fabric.topograph.run/tier-0 (the leaf), tier-1, …

The values are names of switches. Leaves that share all spines have the same value
for these: the name of the first of them. A fabric with one leaf has no spine.

Hosts, leaves and names are found as "ibscope topology slurm" does; names of hosts
are in small letters, as Kubernetes has them. Of a host that is in several networks
the first counts.`,
		Example: `  ibscope topology k8s --strip-domain --output-file labels.json
  ibscope topology k8s | jq -r '.nodes[] | .name as $n | .labels | to_entries[] | "kubectl label --overwrite node \($n) \(.key)=\(.value)"'`,
		Args:        cobra.NoArgs,
		RunE:        func(c *cobra.Command, _ []string) error { return s.run(c.Context(), e) },
		Annotations: map[string]string{env.ExitStatus: exitStatus},
	}
	s.register(c.Flags())
	c.Flags().StringVar(&s.scheme, "scheme", string(nodelabels.NVIDIA), "use the keys of `SCHEME`: "+strings.Join(nodelabels.Schemes(), ", "))
	complete(c, "scheme", nodelabels.Schemes())
	complete(c, "roles", roles)
	return c
}

func (s *kubernetesSettings) run(ctx context.Context, e *env.Env) error {
	if !slices.Contains(nodelabels.Schemes(), s.scheme) {
		return env.Exitf(env.Usage, "--scheme %s: there are %s", s.scheme, strings.Join(nodelabels.Schemes(), ", "))
	}
	o, err := s.options(e, hosttree.LowerCase())
	if err != nil {
		return err
	}
	inputs, forest, early, err := s.build(ctx, e, o)
	if err != nil {
		return err
	}
	d := nodelabels.NewDocument(inputs, forest, nodelabels.Scheme(s.scheme))
	return s.write(e, early, func(w io.Writer) error { return d.Write(w) })
}
