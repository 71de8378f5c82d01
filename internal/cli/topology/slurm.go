package topology

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/fabric/hosttree"
	"github.com/ibscope/ibscope/format/slurm"
	"github.com/ibscope/ibscope/internal/cli/env"
)

// slurmSettings are the flags of the subcommand.
type slurmSettings struct {
	hosts
	format     string
	plugin     string
	blockSizes []int
	blockLevel int
}

var (
	slurmFormats = []string{"conf", "yaml"}
	plugins      = []string{string(slurm.Tree), string(slurm.Block)}
)

func slurmCommand(e *env.Env) *cobra.Command {
	s := &slurmSettings{}
	c := &cobra.Command{
		Use:   "slurm",
		Short: "Write topology.conf or topology.yaml for Slurm",
		Long: `Slurm writes the topology of a cluster for Slurm's plugins topology/tree and
topology/block: topology.conf, or topology.yaml of Slurm 25.05 and newer.

Each compute host is there once. A host with several adapters is below the leaf of
its first rail; without a link on that, it is where its neighbours on another rail
are. Leaves are below one switch for all spines that they share, which is named for
the first of these by GUID, and so on up. SHARP aggregation nodes are no hosts.
Storage servers, managers and gateways, as their names tell, are left out; --roles
adds them, and --nodes says exactly which hosts Slurm knows.

Networks that share hosts and no switches, as for computing and for storage, are
trees of their own; so are fabrics when --fabric is there several times. topology.yaml
has a topology for each, the first the default. topology.conf can have one, and
takes from later networks only hosts that the ones before do not have. --network
chooses one.

Names of hosts are those that adapters tell, or the node name map; then --strip-domain,
--strip-suffix and --rename change them in this order. Names of switches are the map's or
the switch's own, with a GUID where two have the same.`,
		Example: `  ibscope topology slurm --output-file /etc/slurm/topology.conf
  ibscope topology slurm --nodes "$(sinfo -h -o %N)" --strip-domain
  ibscope topology slurm --fabric umad:mlx5_0 --fabric umad:mlx5_4 --names compute,storage -o yaml
  ibscope topology slurm --plugin block --block-sizes 18,72
  ibscope topology slurm --rename 's/^dgx-([0-9]+)-ib$/node\1/'`,
		Args:        cobra.NoArgs,
		RunE:        func(c *cobra.Command, _ []string) error { return s.run(c.Context(), e) },
		Annotations: map[string]string{env.ExitStatus: exitStatus},
	}
	fs := c.Flags()
	s.register(fs)
	fs.StringVarP(&s.format, "output", "o", "conf", "write `FORMAT`: "+strings.Join(slurmFormats, ", "))
	fs.StringVar(&s.plugin, "plugin", "tree", "write for topology/`PLUGIN`: "+strings.Join(plugins, ", "))
	fs.IntSliceVar(&s.blockSizes, "block-sizes", nil, "plan with blocks of `N,…` nodes (default the smallest block and its doubles)")
	fs.IntVar(&s.blockLevel, "block-level", 1, "make a block of what a switch of level `N` joins; leaves are 1")
	complete(c, "output", slurmFormats)
	complete(c, "plugin", plugins)
	complete(c, "roles", roles)
	return c
}

func (s *slurmSettings) check() error {
	switch {
	case !slices.Contains(slurmFormats, s.format):
		return env.Exitf(env.Usage, "--output %s: there are %s", s.format, strings.Join(slurmFormats, ", "))
	case !slices.Contains(plugins, s.plugin):
		return env.Exitf(env.Usage, "--plugin %s: there are %s", s.plugin, strings.Join(plugins, ", "))
	case s.blockLevel < 1:
		return env.Exitf(env.Usage, "--block-level %d: expected a number from 1", s.blockLevel)
	}
	for i, size := range s.blockSizes {
		if size < 1 || i > 0 && !isPower(size, s.blockSizes[i-1]) {
			return env.Exitf(env.Usage, "--block-sizes: expected numbers from 1, each the one before times a power of two, as 18,72")
		}
	}
	return nil
}

// isPower reports whether size is base times 2, 4, 8 …
func isPower(size, base int) bool {
	factor := size / base
	return size%base == 0 && factor > 1 && factor&(factor-1) == 0
}

func (s *slurmSettings) run(ctx context.Context, e *env.Env) error {
	if err := s.check(); err != nil {
		return err
	}
	treeOptions, err := s.options(e)
	if err != nil {
		return err
	}
	_, forest, early, err := s.build(ctx, e, treeOptions)
	if err != nil {
		return err
	}
	o := &slurm.Options{
		Plugin: slurm.Plugin(s.plugin), BlockSizes: s.blockSizes, BlockLevel: s.blockLevel, Comment: about(forest),
	}
	if o.Plugin == slurm.Block {
		if short := slurm.ShortBlocks(forest.Networks, o); len(short) > 0 {
			e.Complain("%s with fewer hosts than the first of --block-sizes, which Slurm takes from 25.05 on: %s",
				count(len(short), "block"), slurm.Compress(short))
		}
	}
	write := slurm.WriteConf
	if s.format == "yaml" {
		write = slurm.WriteYAML
	}
	return s.write(e, early, func(w io.Writer) error { return write(w, forest.Networks, o) })
}

// about is what stands at the head of a file. It has no time, so that the file
// changes when the fabric does.
func about(forest *hosttree.Forest) []string {
	lines := []string{"Made by ibscope topology slurm."}
	for _, n := range forest.Networks {
		lines = append(lines, fmt.Sprintf("Network %s: %s.", n.Name, count(n.Hosts, "host")))
	}
	return lines
}
