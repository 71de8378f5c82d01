package diff

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
)

// Routes is the field of a switch that sends to some destinations by another port.
const Routes Field = "routes"

// maxRoutes is how many destinations a change of routes names.
const maxRoutes = 4

// CompareRoutes lists the switches of both fabrics that send to destinations of both
// by other ports, one change for each. Destinations are ports and what of their
// LIDs, not LIDs as such: those may have changed. Switches without a table in one of
// the two are left out.
func CompareRoutes(a, b *fabric.Fabric) []Change {
	c := newComparison(a, b, nil)
	pairs := c.destinations()
	for i := range c.inA {
		p, q := c.inA[i], c.inB[i]
		if p != nil && q != nil && p.LFT() != nil && q.LFT() != nil {
			c.compareTables(p, q, pairs)
		}
	}
	return c.changes
}

// destination is a LID of a port in both fabrics.
type destination struct{ a, b ib.LID }

func (c *comparison) destinations() (list []destination) {
	for i := range c.inA {
		p, q := c.inA[i], c.inB[i]
		if p == nil || q == nil {
			continue
		}
		for num := range min(p.NumPorts(), q.NumPorts()) + 1 {
			x, y := p.Port(num), q.Port(num)
			if x == nil || y == nil || x.LID() == 0 || y.LID() == 0 || num > 0 && p.Type() == ib.NodeSwitch {
				continue
			}
			for k := range ib.LID(1) << min(x.LMC(), y.LMC()) {
				list = append(list, destination{x.LID() + k, y.LID() + k})
			}
		}
	}
	return list
}

func (c *comparison) compareTables(p, q *fabric.Node, pairs []destination) {
	var before, now []string
	n := 0
	for _, d := range pairs {
		x, y := entry(p.LFT(), d.a), entry(q.LFT(), d.b)
		if x == y {
			continue
		}
		if n++; n <= maxRoutes {
			before, now = append(before, routeText(d.a, x)), append(now, routeText(d.b, y))
		}
	}
	if n == 0 {
		return
	}
	if n > maxRoutes {
		more := fmt.Sprintf("… (%d in all)", n)
		before, now = append(before, more), append(now, more)
	}
	c.add(Change{
		Subject: Node, Op: Differs, A: Place{Node: p}, B: Place{Node: q},
		Field: Routes, Old: strings.Join(before, " "), New: strings.Join(now, " "),
	})
}

func entry(table []uint8, lid ib.LID) uint8 {
	if int(lid) < len(table) {
		return table[lid]
	}
	return route.NoPort
}

// routeText is "LID 5 by port 3" in short.
func routeText(lid ib.LID, port uint8) string {
	if port == route.NoPort {
		return fmt.Sprintf("%d:none", lid)
	}
	return fmt.Sprintf("%d:%d", lid, port)
}
