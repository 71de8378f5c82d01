package gen

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

const maxPlanes = 8

// PlanesOptions describe a fabric of several planes. Zero fields have the
// defaults given.
type PlanesOptions struct {
	Planes  int  // 2…8; 4
	Levels  int  // of switches, 1…8; 2
	Radix   int  // ports of a switch chip for hosts and links, even, 2…250; 144
	Hosts   int  // 144, or as many as fit
	HCAs    int  // adapters of a host, 1…16; 1
	NoSHARP bool // leaves out the aggregation nodes
	GSI     bool // with the GSI devices of the adapters
}

// Planes makes a planarised XDR fabric: each adapter is connected to several
// planes, by a port of one lane each, and each plane is a fat tree. The ports of
// an adapter have one port GUID and one LID. A switch is a box with a chip for
// each plane, with one system image GUID; after the ports for links a chip has
// one for an aggregation node, and two that join the chips of the box to a ring,
// so that a sweep from one plane finds all.
//
// With GSI there are also the devices that programs use: to each adapter, which
// is the SMI device then and called smi_0, one without a cable that has its port
// GUID and LID, says that it has no subnet management (IsSMDisabled), and runs
// at 4x. A sweep does not find them: they are there for machines of the simulator.
func Planes(o PlanesOptions) (*fabric.Fabric, error) {
	x := &planes{PlanesOptions: o}
	if err := x.check(); err != nil {
		return nil, err
	}
	for plane := range x.Planes {
		t := x.tree
		t.plan, t.tier = &x.plan, func(name string, _ int) int { return x.chip(plane, name) }
		t.host = func(host, hca int) end { return end{x.hca(host, hca), plane + 1} }
		x.made = 0
		t.wire()
	}
	for _, box := range x.boxes {
		x.ring(box)
	}
	return x.finish()
}

type planes struct {
	PlanesOptions
	plan
	tree  fatTree
	boxes [][]int // chips of each, by plane
	made  int     // chips of this plane
	hcas  map[[2]int]int
}

const planesOp = "xdrplanes"

func (x *planes) check() error {
	const op = planesOp
	fill(&x.Planes, 4)
	fill(&x.Radix, 144)
	fill(&x.HCAs, 1)
	if x.Planes < 2 || x.Planes > maxPlanes {
		return outOfRange(op, "planes", x.Planes, 2, maxPlanes)
	}
	if x.Radix > 250 {
		return outOfRange(op, "radix", x.Radix, 2, 250)
	}
	x.tree.FatTreeOptions = FatTreeOptions{Levels: x.Levels, Radix: x.Radix, Hosts: x.Hosts, HCAs: x.HCAs, Speed: ib.SpeedXDR}
	if err := x.tree.check(); err != nil {
		return asOp(err, op)
	}
	if x.Hosts == 0 {
		x.tree.Hosts = min(x.tree.Hosts, 144)
	}
	x.hcas = make(map[[2]int]int, x.tree.Hosts*x.HCAs)
	if err := checkSize(op, "planes", x.Planes, x.Planes*x.tree.switchCount(), x.Radix+3, x.Planes*x.tree.Hosts*x.HCAs); err != nil {
		return err
	}
	var err error
	x.plan, err = newPlan(op, ib.SpeedXDR, ib.Width1x)
	return err
}

// chip plans the switch chip of a box for a plane.
func (x *planes) chip(plane int, name string) int {
	sw := x.addSwitch(fmt.Sprintf("MF0;%s:Q3400/U%d", name, plane+1), x.Radix+3)
	if plane == 0 {
		x.boxes = append(x.boxes, nil)
	}
	x.boxes[x.made] = append(x.boxes[x.made], sw)
	x.nodes[sw].image = x.nodes[x.boxes[x.made][0]].guid
	x.made++
	if !x.NoSHARP {
		x.aggregate(sw, x.Radix+1)
	}
	return sw
}

// hca is the adapter of a host, which the first plane makes.
func (x *planes) hca(host, num int) int {
	key := [2]int{host, num}
	if i, ok := x.hcas[key]; ok {
		return i
	}
	name := fmt.Sprintf("node%0*d", digits(x.tree.Hosts), host+1)
	smi := x.addAdapter(name+" "+x.gen.adapterName(num), x.Planes)
	x.hcas[key] = smi
	if x.GSI {
		x.nodes[smi].name = fmt.Sprintf("%s smi_%d", name, num)
		gsi := x.adapter(name, num)
		x.nodes[gsi].image, x.nodes[gsi].gsiOf = x.nodes[smi].image, int32(smi)+1
		x.nodes[gsi].ports[1].width = ib.Width4x
	}
	return smi
}

// ring joins the chips of a box; two of them have one cable.
func (x *planes) ring(box []int) {
	for i, sw := range box {
		if next := (i + 1) % len(box); next != 0 || len(box) > 2 {
			x.cable(sw, x.Radix+3, box[next], x.Radix+2)
		}
	}
}
