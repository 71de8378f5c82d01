package gen

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// DragonflyPlusOptions describe a dragonfly+. Zero fields have the defaults given.
type DragonflyPlusOptions struct {
	Groups int // 1…4096; 4
	Leaves int // leaf switches of a group, 1…253; 4
	Spines int // spine switches of a group, 1…253; as many as leaves
	Hosts  int // on each leaf, 1…253; as many as spines
	Global int // links of each spine to other groups, 1…253; as many as leaves
	Speed  ib.LinkSpeed
	SHARP  bool // an aggregation node on one more port of each switch; from EDR on
}

// DragonflyPlus makes a dragonfly+: groups of leaf and spine switches, with a
// link from each leaf to each spine, and links from the spines to those of other
// groups, the same number between any two groups. Ports of a leaf: hosts,
// spines; of a spine: leaves, links to other groups.
func DragonflyPlus(o DragonflyPlusOptions) (*fabric.Fabric, error) {
	d := &dragonflyPlus{DragonflyPlusOptions: o}
	if err := d.check(); err != nil {
		return nil, err
	}
	spines := make([]int, 0, d.Groups*d.Spines)
	for g := range d.Groups {
		spines = append(spines, d.group(g)...)
	}
	slot := func(group, n int) end { return end{spines[group*d.Spines+n%d.Spines], d.Leaves + 1 + n/d.Spines} }
	if err := d.joinGroups(dragonflyPlusOp, d.Groups, d.Spines*d.Global, slot); err != nil {
		return nil, err
	}
	return d.finish()
}

type dragonflyPlus struct {
	DragonflyPlusOptions
	plan
	hosts int // planned
}

const dragonflyPlusOp = "dragonfly+"

func (d *dragonflyPlus) check() error {
	const op = dragonflyPlusOp
	fill(&d.Groups, 4)
	fill(&d.Leaves, 4)
	fill(&d.Spines, d.Leaves)
	fill(&d.Hosts, d.Spines)
	fill(&d.Global, d.Leaves)
	if err := checkRanges(op, []bounded{
		{"groups", d.Groups, maxGroups},
		{"leaves", d.Leaves, 253},
		{"spines", d.Spines, 253},
		{"hosts", d.Hosts, 253},
		{"global", d.Global, 253},
	}); err != nil {
		return err
	}
	leaf, spine := d.Hosts+d.Spines, d.Leaves+d.Global
	if leaf > maxRadix || spine > maxRadix {
		return &Error{Op: op, Param: "leaves", Value: fmt.Sprint(d.Leaves), Detail: fmt.Sprintf(
			"needs leaves with %d and spines with %d ports, but switches have at most %d", leaf, spine, maxRadix)}
	}
	if err := checkSize(op, "groups", d.Groups, d.Groups*(d.Leaves+d.Spines), max(leaf, spine), d.Groups*d.Leaves*d.Hosts); err != nil {
		return err
	}
	var err error
	if d.plan, err = newPlan(op, d.Speed, 0); err == nil && d.SHARP {
		err = d.setSharp(op, max(leaf, spine))
	}
	return err
}

// group plans a group and gives its spines.
func (d *dragonflyPlus) group(g int) []int {
	var spines []int
	for s := range d.Spines {
		spines = append(spines, d.newSwitch(fmt.Sprintf("g%03dspine%02d", g+1, s+1), d.Leaves+d.Global))
	}
	width := digits(d.Groups * d.Leaves * d.Hosts)
	for l := range d.Leaves {
		leaf := d.newSwitch(fmt.Sprintf("g%03dleaf%02d", g+1, l+1), d.Hosts+d.Spines)
		for h := range d.Hosts {
			d.hosts++
			d.cable(d.host(fmt.Sprintf("node%0*d", width, d.hosts)), 1, leaf, h+1)
		}
		for s, spine := range spines {
			d.cable(leaf, d.Hosts+1+s, spine, l+1)
		}
	}
	return spines
}
