package slurm

import "github.com/ibscope/ibscope/fabric/hosttree"

// block is nodes that are near to each other.
type block struct {
	name  string
	hosts []string
}

// blocksOf are the domains of the level that Options name, and lower ones that
// nothing of that level is above.
func blocksOf(roots []*hosttree.Domain, o *Options) (blocks []block) {
	level := max(1, o.BlockLevel)
	var add func(d *hosttree.Domain)
	add = func(d *hosttree.Domain) {
		if d.Level <= level {
			blocks = append(blocks, block{d.Name, hostsOf(d)})
			return
		}
		for _, child := range d.Children {
			add(child)
		}
	}
	for _, root := range roots {
		add(root)
	}
	return blocks
}

func hostsOf(d *hosttree.Domain) []string {
	hosts := d.Hosts
	for _, child := range d.Children {
		hosts = append(hosts[:len(hosts):len(hosts)], hostsOf(child)...)
	}
	return hosts
}

// sizes are Options.BlockSizes, or the size of the smallest block and its doubles,
// as many as there are blocks for.
func sizes(blocks []block, o *Options) []int {
	if len(o.BlockSizes) > 0 || len(blocks) == 0 {
		return o.BlockSizes
	}
	smallest := len(blocks[0].hosts)
	for _, b := range blocks {
		smallest = min(smallest, len(b.hosts))
	}
	var list []int
	for n := 1; n <= len(blocks); n *= 2 {
		list = append(list, smallest*n)
	}
	return list
}

// ShortBlocks are the names of blocks with fewer hosts than the first of the block
// sizes, which Slurm before 25.05 does not take.
func ShortBlocks(networks []hosttree.Network, o *Options) (names []string) {
	o = o.orDefault()
	for _, n := range networks {
		blocks := blocksOf(n.Roots, o)
		list := sizes(blocks, o)
		for _, b := range blocks {
			if len(list) > 0 && len(b.hosts) < list[0] {
				names = append(names, b.name)
			}
		}
	}
	return names
}
