package gen

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// maxRow bounds rings and lines: a directed route has 63 hops, but fabrics that
// are too long for one are of use too.
const maxRow = 4096

// Star makes one switch with n hosts, 1…254, on its ports 1…n.
func Star(n int) (*fabric.Fabric, error) { return star(n, 0) }

func star(n int, speed ib.LinkSpeed) (*fabric.Fabric, error) {
	const op = "star"
	if n < 1 || n > maxRadix {
		return nil, outOfRange(op, "hosts", n, 1, maxRadix)
	}
	p, err := newPlan(op, speed, 0)
	if err != nil {
		return nil, err
	}
	sw := p.newSwitch("switch01", n)
	for i := range n {
		p.cable(p.host(fmt.Sprintf("node%04d", i+1)), 1, sw, i+1)
	}
	return p.build(), nil
}

// Line makes n switches in a row, 1…4096, each with a host on port 1; port 2
// leads back, port 3 on.
func Line(n int) (*fabric.Fabric, error) { return row("line", n, 0) }

// Ring makes a Line whose last switch is connected to the first. A ring of two
// has two parallel links, a ring of one a link from the switch to itself.
func Ring(n int) (*fabric.Fabric, error) { return row("ring", n, 0) }

func row(op string, n int, speed ib.LinkSpeed) (*fabric.Fabric, error) {
	if n < 1 || n > maxRow {
		return nil, outOfRange(op, "switches", n, 1, maxRow)
	}
	p, err := newPlan(op, speed, 0)
	if err != nil {
		return nil, err
	}
	switches := make([]int, n)
	for i := range switches {
		switches[i] = p.newSwitch(fmt.Sprintf("switch%02d", i+1), 3)
		p.cable(p.host(fmt.Sprintf("node%04d", i+1)), 1, switches[i], 1)
		if i > 0 {
			p.cable(switches[i-1], 3, switches[i], 2)
		}
	}
	if op == "ring" {
		p.cable(switches[n-1], 3, switches[0], 2)
	}
	return p.build(), nil
}
