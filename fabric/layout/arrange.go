package layout

import (
	"slices"

	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
)

const partGap = 40

// arrange puts all cells into one block: parts beside each other, and nodes without
// a switch after them.
func (p *planner) arrange() *block {
	byPart := make([][]int32, len(p.t.Parts)+1)
	for i := range p.cells {
		part := p.cells[i].place.Part
		if p.cells[i].nodes[0].Type() != ib.NodeSwitch || part > len(p.t.Parts) {
			part = 0 // a host in a cell of its own has no switch
		}
		byPart[part] = append(byPart[part], int32(i))
	}
	var blocks []*block
	for i := range p.t.Parts {
		if len(byPart[i+1]) > 0 {
			blocks = append(blocks, p.part(&p.t.Parts[i], byPart[i+1]))
		}
	}
	if alone := byPart[0]; len(alone) > 0 {
		p.sort(alone)
		b := flow(p.singles(alone), p.size.gap)
		if len(blocks) > 0 {
			b = framed(b, FrameAlone, 0, 0)
		}
		blocks = append(blocks, b)
	}
	if few := len(blocks); few <= 4 {
		return row(blocks, partGap, false)
	}
	return flow(blocks, partGap)
}

// part lays out the switches of a part.
func (p *planner) part(t *topology.Part, cells []int32) *block {
	p.sort(cells)
	var b *block
	switch {
	case t.Kind == topology.Dragonfly || t.Kind == topology.DragonflyPlus:
		b = p.groups(t, cells)
	case len(t.Dims) > 0 && p.haveCoords(t, cells):
		b = p.lattice(t, cells)
	default:
		b = p.tiers(t, cells)
	}
	switch {
	case t.Plane > 0:
		return framed(b, FramePlane, t.Plane, t.Number)
	case len(p.t.Parts) > 1:
		return framed(b, FramePart, t.Number, t.Number)
	}
	return b
}

// sort orders cells as they stand in a row.
func (p *planner) sort(cells []int32) {
	slices.SortFunc(cells, func(a, b int32) int { return compareCells(&p.cells[a], &p.cells[b]) })
}

// split gives the cells of each group, ungrouped ones first.
func (p *planner) split(cells []int32, groups int) [][]int32 {
	list := make([][]int32, groups+1)
	for _, c := range cells {
		g := p.cells[c].place.Group
		if g > groups {
			g = 0
		}
		list[g] = append(list[g], c)
	}
	return list
}

// groups puts the groups of a dragonfly on a circle, and what is in none below.
func (p *planner) groups(t *topology.Part, cells []int32) *block {
	const most = 72 // on a circle
	split := p.split(cells, t.Groups)
	var blocks []*block
	for g, list := range split[1:] {
		var b *block
		switch {
		case len(list) == 0:
			continue
		case p.cells[list[0]].kind == WholeGroup:
			blocks = append(blocks, p.single(list[0]))
			continue
		case t.Kind == topology.DragonflyPlus:
			b = p.rows(list, true)
		default:
			b = ring(p.singles(list), p.size.gap)
		}
		blocks = append(blocks, framed(b, FrameGroup, g+1, t.Number))
	}
	whole := ring
	if len(blocks) > most {
		whole = flow
	}
	b := whole(blocks, 4*p.size.gap)
	if len(split[0]) > 0 {
		b = column([]*block{b, flow(p.singles(split[0]), p.size.gap)}, partGap)
	}
	return b
}
