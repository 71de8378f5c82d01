package layout

import "github.com/ibscope/ibscope/fabric/topology"

func (p *planner) haveCoords(t *topology.Part, cells []int32) bool {
	for _, c := range cells {
		if p.cells[c].kind != OneNode || len(p.cells[c].place.Coords) != len(t.Dims) {
			return false
		}
	}
	return true
}

// lattice puts switches on a grid: the first dimension goes to the right, the second
// down, the others repeat that with grids. One dimension is a circle if it is
// closed, else lines that go to and fro. Switches that claim a place together are
// put below the grid.
func (p *planner) lattice(t *topology.Part, cells []int32) *block {
	if len(t.Dims) == 1 {
		return p.chain(t.Dims[0], cells)
	}
	w, h := p.widest(cells)
	stepX, stepY := w+3*p.size.gap, h+3*p.size.gap+20
	if p.l.Dense {
		stepX, stepY = w+30, h+30
	}
	strides := make([]float64, len(t.Dims))
	x, y := stepX, stepY
	for i, d := range t.Dims {
		if i%2 == 0 {
			strides[i] = x
			x = x*float64(d.Size) + stepX
		} else {
			strides[i] = y
			y = y*float64(d.Size) + stepY
		}
	}
	out, taken := &block{}, map[Point]bool{}
	var twice []int32
	for _, c := range cells {
		var at Point
		for i, v := range p.cells[c].place.Coords {
			if i%2 == 0 {
				at.X += float64(v) * strides[i]
			} else {
				at.Y += float64(v) * strides[i]
			}
		}
		if taken[at] {
			twice = append(twice, c)
			continue
		}
		taken[at] = true
		out.put(p.single(c), at.X, at.Y)
	}
	if len(twice) == 0 {
		return out
	}
	return column([]*block{out, flow(p.singles(twice), p.size.gap)}, partGap)
}

// chain lays out a lattice of one dimension.
func (p *planner) chain(d topology.Dimension, cells []int32) *block {
	const most = 96 // on a circle
	ordered := make([][]int32, d.Size)
	var rest []int32
	for _, c := range cells {
		if at := p.cells[c].place.Coords[0]; at >= 0 && at < d.Size {
			ordered[at] = append(ordered[at], c)
		} else {
			rest = append(rest, c)
		}
	}
	var list []int32
	for _, at := range ordered {
		list = append(list, at...)
	}
	list = append(list, rest...)
	if len(list) > 2 && len(list) <= most && (d.Wrap || d.Full) {
		return ring(p.singles(list), p.size.gap)
	}
	return p.snake(list)
}

// snake puts cells into lines, every other one from right to left, so that
// neighbours stay neighbours.
func (p *planner) snake(list []int32) *block {
	w, h := p.widest(list)
	stepX, stepY := w+2*p.size.gap+8, h+2*p.size.gap+8
	each := 1
	for each*each*int(stepX) < int(stepY)*2*len(list) || each < min(len(list), 8) {
		each++
	}
	out := &block{}
	for i, c := range list {
		line, at := i/each, i%each
		if line%2 == 1 {
			at = each - 1 - at
		}
		out.put(p.single(c), float64(at)*stepX, float64(line)*stepY)
	}
	return out
}

func (p *planner) widest(cells []int32) (w, h float64) {
	for _, c := range cells {
		w, h = max(w, p.cells[c].w), max(h, p.cells[c].h)
	}
	return w, h
}
