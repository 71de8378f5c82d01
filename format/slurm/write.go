package slurm

import (
	"bufio"
	"fmt"
	"io"

	"github.com/ibscope/ibscope/fabric/hosttree"
)

// Plugin is a topology plugin of Slurm.
type Plugin string

// The plugins that there is output for.
const (
	Tree  Plugin = "tree"  // topology/tree: switches above switches above nodes
	Block Plugin = "block" // topology/block, from Slurm 23.11: blocks of nodes
)

// Options tells how to write. The zero value is fine.
type Options struct {
	Plugin Plugin // "" is Tree

	// BlockSizes are the sizes to plan with; none is the size of the smallest
	// block, and doubled as often as there are blocks for.
	BlockSizes []int

	// BlockLevel is the level of the domains that are blocks; 0 is 1, the leaves.
	BlockLevel int

	// Comment is lines for the head of the file.
	Comment []string
}

func (o *Options) orDefault() *Options {
	if o == nil {
		return &Options{}
	}
	return o
}

// WriteConf writes topology.conf. It holds one topology, in which each host is once:
// of several networks those that come later have the hosts that the ones before do
// not have. Its switches have either nodes or switches, children before parents.
func WriteConf(out io.Writer, networks []hosttree.Network, o *Options) error {
	o = o.orDefault()
	w := bufio.NewWriter(out)
	comment(w, o)
	roots := distinct(networks)
	if o.Plugin == Block {
		blocks := blocksOf(roots, o)
		for _, b := range blocks {
			fmt.Fprintf(w, "BlockName=%s Nodes=%s\n", b.name, Compress(b.hosts))
		}
		if len(blocks) > 0 {
			fmt.Fprintf(w, "BlockSizes=%s\n", numbers(sizes(blocks, o), ","))
		}
		return w.Flush()
	}
	for _, s := range switchesOf(roots) {
		kind, list := "Nodes", s.Hosts
		if len(s.Children) > 0 {
			kind, list = "Switches", childNames(s)
		}
		fmt.Fprintf(w, "SwitchName=%s %s=%s\n", s.Name, kind, Compress(list))
	}
	return w.Flush()
}

// WriteYAML writes topology.yaml: a topology for each network, the first one the
// default of the cluster. A host may be in several of them.
func WriteYAML(out io.Writer, networks []hosttree.Network, o *Options) error {
	o = o.orDefault()
	w := bufio.NewWriter(out)
	_, _ = w.WriteString("---\n")
	comment(w, o)
	for i, n := range networks {
		fmt.Fprintf(w, "- topology: %s\n  cluster_default: %t\n", quote(n.Name), i == 0)
		if o.Plugin == Block {
			yamlBlocks(w, blocksOf(n.Roots, o), o)
		} else {
			yamlTree(w, n.Roots)
		}
	}
	return w.Flush()
}

func yamlTree(w *bufio.Writer, roots []*hosttree.Domain) {
	_, _ = w.WriteString("  tree:\n    switches:\n")
	for _, s := range switchesOf(roots) {
		kind, list := "nodes", s.Hosts
		if len(s.Children) > 0 {
			kind, list = "children", childNames(s)
		}
		fmt.Fprintf(w, "      - switch: %s\n        %s: %s\n", quote(s.Name), kind, quote(Compress(list)))
	}
}

func yamlBlocks(w *bufio.Writer, blocks []block, o *Options) {
	_, _ = w.WriteString("  block:\n    block_sizes:\n")
	for _, size := range sizes(blocks, o) {
		fmt.Fprintf(w, "      - %d\n", size)
	}
	_, _ = w.WriteString("    blocks:\n")
	for _, b := range blocks {
		fmt.Fprintf(w, "      - block: %s\n        nodes: %s\n", quote(b.name), quote(Compress(b.hosts)))
	}
}

func comment(w *bufio.Writer, o *Options) {
	for _, line := range o.Comment {
		fmt.Fprintf(w, "# %s\n", legal(line))
	}
}
