package gen

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

const maxUnits = 1024

// GPUPodOptions describe a pod of GPU servers. Zero fields have the defaults given.
type GPUPodOptions struct {
	Units   int          // scalable units, 1…1024; 1
	Hosts   int          // servers of a unit, up to half the radix; that
	Rails   int          // adapters of a server and leaf switches of a unit, 1…16; 8
	Radix   int          // ports of a switch without that for SHARP, even, 4…254; 64
	Speed   ib.LinkSpeed // NDR
	NoSHARP bool         // leaves out the aggregation nodes
	Storage int          // storage servers, 0…Radix·Radix/2; 0 leaves out the storage rail
	VFs     int          // virtual ports of an adapter, 0…254; 0
}

// GPUPod makes a rail-optimised pod: scalable units of servers with an adapter
// for each GPU, where adapter k of all servers of a unit is on the unit's leaf
// switch for rail k. Leaves have half their ports up, which does not block.
//
// As long as the leaves are not more than the ports of a switch they are joined
// by one row of spines. Larger pods have a group of spines for each rail, and
// cores over the groups: traffic of one rail never goes higher than a spine.
// With Storage each server has one more adapter, in a fabric and subnet of its
// own: a tree of two levels with leaves for servers and storage servers.
func GPUPod(o GPUPodOptions) (*fabric.Fabric, error) {
	g := &gpuPod{GPUPodOptions: o}
	if err := g.check(); err != nil {
		return nil, err
	}
	g.leaves()
	if g.Units*g.Rails <= g.Radix {
		g.spines()
	} else {
		g.railSpines()
	}
	if g.Storage > 0 {
		if err := g.storage(); err != nil {
			return nil, err
		}
	}
	return g.finish()
}

type gpuPod struct {
	GPUPodOptions
	plan
	half int
	ups  [][]end // up-ports of each leaf: by unit, then rail
}

const gpuPodOp = "gpupod"

func (g *gpuPod) check() error {
	const op = gpuPodOp
	fill(&g.Units, 1)
	fill(&g.Rails, 8)
	fill(&g.Radix, 64)
	fill(&g.Speed, ib.SpeedNDR)
	if g.Radix < 4 || g.Radix > maxRadix || g.Radix%2 != 0 {
		return &Error{Op: op, Param: "radix", Value: fmt.Sprint(g.Radix), Detail: fmt.Sprintf("must be even, 4…%d", maxRadix)}
	}
	g.half = g.Radix / 2
	fill(&g.Hosts, g.half)
	units := maxUnits
	if g.Rails > 0 {
		units = max(g.Radix/g.Rails, g.half) // a spine of a rail has half its ports for leaves
	}
	if err := checkRanges(op, []bounded{
		{"rails", g.Rails, min(maxRails, g.Radix)}, // a core has a port for each rail
		{"hosts", g.Hosts, g.half},
		{"units", g.Units, units},
	}); err != nil {
		return err
	}
	switch most := g.Radix * g.half; {
	case g.Storage < 0 || g.Storage > most || g.Storage > 0 && g.Storage+g.Units*g.Hosts > most:
		return outOfRange(op, "storage", g.Storage, 0, max(0, most-g.Units*g.Hosts))
	case g.VFs < 0 || g.VFs > maxVFs:
		return outOfRange(op, "vfs", g.VFs, 0, maxVFs)
	}
	if err := checkSize(op, "units", g.Units, 3*g.Units*g.Rails, g.Radix, g.Units*g.Hosts*(g.Rails+1)); err != nil {
		return err
	}
	var err error
	if g.plan, err = newPlan(op, g.Speed, 0); err == nil && !g.NoSHARP && g.Speed.Rank() >= ib.SpeedEDR.Rank() {
		err = g.setSharp(op, g.Radix)
	}
	g.vfs = g.VFs
	return err
}

func (g *gpuPod) server(num int) string {
	return fmt.Sprintf("gpu%0*d", digits(g.Units*g.Hosts), num+1)
}

// leaves plans the leaf switches and servers of all units.
func (g *gpuPod) leaves() {
	for u := range g.Units {
		for r := range g.Rails {
			leaf := g.newSwitch(fmt.Sprintf("su%02d-leaf-r%d", u+1, r+1), g.Radix)
			for h := range g.Hosts {
				g.cable(g.adapter(g.server(u*g.Hosts+h), r), 1, leaf, h+1)
			}
			ups := make([]end, g.half)
			for i := range ups {
				ups[i] = end{leaf, g.half + 1 + i}
			}
			g.ups = append(g.ups, ups)
		}
	}
}

// spines joins all leaves by one row of spines.
func (g *gpuPod) spines() {
	g.join(g.ups, g.Radix, func(i int) string { return fmt.Sprintf("spine%02d", i+1) })
}

// join plans a row of switches over groups of up-ports, with as many cables from
// each group to each switch as there are ports for, and gives the switches.
func (g *gpuPod) join(groups [][]end, ports int, name func(i int) string) []int {
	var row []int
	cables := min(ports/len(groups), len(groups[0]))
	for first := 0; first < len(groups[0]); first += cables {
		sw := g.newSwitch(name(len(row)), g.Radix)
		row = append(row, sw)
		for i, ups := range groups {
			for c, e := range ups[first:min(first+cables, len(ups))] {
				g.cable(e.node, e.port, sw, i*cables+c+1)
			}
		}
	}
	return row
}

// railSpines plans a group of spines for each rail, and cores that join spines
// with one number of all rails.
func (g *gpuPod) railSpines() {
	var byNumber [][][]end // number, rail, up-port
	for r := range g.Rails {
		var leaves [][]end
		for u := range g.Units {
			leaves = append(leaves, g.ups[u*g.Rails+r])
		}
		row := g.join(leaves, g.half, func(i int) string { return fmt.Sprintf("spine-r%d-%02d", r+1, i+1) })
		if byNumber == nil {
			byNumber = make([][][]end, len(row))
		}
		for i, sw := range row {
			ups := make([]end, g.half)
			for u := range ups {
				ups[u] = end{sw, g.half + 1 + u}
			}
			byNumber[i] = append(byNumber[i], ups)
		}
	}
	cores := 0
	for _, groups := range byNumber {
		g.join(groups, g.Radix, func(int) string { cores++; return fmt.Sprintf("core%02d", cores) })
	}
}

// storage plans the storage rail: servers first, then storage servers.
func (g *gpuPod) storage() error {
	servers, first := g.Units*g.Hosts, len(g.nodes)
	t := fatTree{plan: &g.plan, tier: g.newSwitch, prefix: "storage-", FatTreeOptions: FatTreeOptions{
		Levels: 2, Radix: g.Radix, Hosts: servers + g.Storage, Speed: g.Speed,
	}}
	if err := t.check(); err != nil {
		return err
	}
	t.host = func(host, _ int) end {
		if host < servers {
			return end{g.adapter(g.server(host), g.Rails), 1}
		}
		return end{g.adapter(fmt.Sprintf("storage%03d", host-servers+1), 0), 1}
	}
	t.wire()
	for i := first; i < len(g.nodes); i++ {
		g.nodes[i].subnet = 1
	}
	return nil
}
