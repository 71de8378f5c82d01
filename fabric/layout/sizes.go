package layout

import "slices"

// sizes are those of boxes, in pixels.
type sizes struct {
	boxW, boxH   float64 // of a switch
	hostW, hostH float64 // of a host
	hostRows     int     // hosts in a column before another one begins
	hostCols     int     // columns at least
	countH       float64 // of the box that stands for hosts
	gap          float64 // between cells
	drop         float64 // from a switch to its hosts
	inset        float64 // of a column of hosts: where their links go down
}

const (
	podW, podH = 116, 44
	hostGap    = 3
)

func sizesFor(dense bool) sizes {
	if dense {
		return sizes{boxW: 20, boxH: 88, hostW: 8, hostH: 8, hostRows: 12, hostCols: 2, countH: 16, gap: 6, drop: 10, inset: 2}
	}
	return sizes{boxW: 104, boxH: 26, hostW: 92, hostH: 16, hostRows: 18, hostCols: 1, countH: 20, gap: 14, drop: 12, inset: 12}
}

// columns is how many columns the hosts of a cell make.
func (s *sizes) columns(hosts int) int {
	return max(s.hostCols, (hosts+s.hostRows-1)/s.hostRows)
}

// measure sets the size of a cell.
func (p *planner) measure(c *cell) {
	s := &p.size
	c.w, c.h = s.boxW, s.boxH
	if c.kind != OneNode {
		c.w, c.h = podW, podH
	}
	switch n := len(c.hosts); {
	case n == 0:
	case p.l.Collapse != None:
		c.h += s.drop + s.countH
	default:
		cols := s.columns(n)
		rows := (n + cols - 1) / cols
		c.w = max(c.w, float64(cols)*(s.hostW+s.inset))
		c.h += s.drop + float64(rows)*(s.hostH+hostGap)
	}
	slices.SortFunc(c.hosts, compareHosts)
}
