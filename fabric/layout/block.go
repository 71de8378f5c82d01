package layout

import "math"

// block is cells and frames with places of their own, from 0, 0.
type block struct {
	w, h   float64
	cells  []placed
	frames []Frame
}

// placed is the top left corner of a cell.
type placed struct {
	cell int32
	x, y float64
}

// put takes what is in another block, moved.
func (b *block) put(o *block, x, y float64) {
	for _, c := range o.cells {
		b.cells = append(b.cells, placed{c.cell, c.x + x, c.y + y})
	}
	for _, f := range o.frames {
		f.X, f.Y = f.X+x, f.Y+y
		b.frames = append(b.frames, f)
	}
	b.w, b.h = max(b.w, x+o.w), max(b.h, y+o.h)
}

// single is a block of one cell.
func (p *planner) single(i int32) *block {
	c := &p.cells[i]
	return &block{w: c.w, h: c.h, cells: []placed{{i, 0, 0}}}
}

// singles are blocks of one cell each.
func (p *planner) singles(list []int32) []*block {
	blocks := make([]*block, len(list))
	for i, c := range list {
		blocks[i] = p.single(c)
	}
	return blocks
}

// row puts blocks side by side, aligned at the top or at the bottom.
func row(blocks []*block, gap float64, bottom bool) *block {
	out, height, x := &block{}, 0.0, 0.0
	for _, b := range blocks {
		height = max(height, b.h)
	}
	for _, b := range blocks {
		y := 0.0
		if bottom {
			y = height - b.h
		}
		out.put(b, x, y)
		x += b.w + gap
	}
	return out
}

// column puts blocks below each other, centered.
func column(blocks []*block, gap float64) *block {
	out, width, y := &block{}, 0.0, 0.0
	for _, b := range blocks {
		width = max(width, b.w)
	}
	for _, b := range blocks {
		out.put(b, (width-b.w)/2, y)
		y += b.h + gap
	}
	out.w = width
	return out
}

// flow fills lines with blocks from left to right, for a picture that is about half
// again as wide as high.
func flow(blocks []*block, gap float64) *block {
	const wide = 1.6
	area, widest := 0.0, 0.0
	for _, b := range blocks {
		area += (b.w + gap) * (b.h + gap)
		widest = max(widest, b.w)
	}
	limit := max(widest, math.Sqrt(area*wide))
	out := &block{}
	x, y, height := 0.0, 0.0, 0.0
	for _, b := range blocks {
		if x > 0 && x+b.w > limit {
			x, y, height = 0, y+height+gap, 0
		}
		out.put(b, x, y)
		x, height = x+b.w+gap, max(height, b.h)
	}
	return out
}

// ring puts blocks on a circle, clockwise, the first at the top.
func ring(blocks []*block, gap float64) *block {
	if len(blocks) < 3 {
		return row(blocks, gap, false)
	}
	widest, highest := 0.0, 0.0
	for _, b := range blocks {
		widest, highest = max(widest, b.w), max(highest, b.h)
	}
	step := 2 * math.Pi / float64(len(blocks))
	radius := (math.Hypot(widest, highest) + gap) / (2 * math.Sin(step/2))
	out := &block{}
	for i, b := range blocks {
		at := float64(i) * step
		x, y := radius+radius*math.Sin(at), radius-radius*math.Cos(at)
		out.put(b, x+(widest-b.w)/2, y+(highest-b.h)/2)
	}
	out.w, out.h = 2*radius+widest, 2*radius+highest
	return out
}

const framePad, frameTitle = 10, 18

// framed draws a frame around a block.
func framed(b *block, kind FrameKind, number, part int) *block {
	out := &block{}
	out.frames = append(out.frames, Frame{W: b.w + 2*framePad, H: b.h + 2*framePad + frameTitle, Kind: kind, Number: number, Part: part})
	out.put(b, framePad, framePad+frameTitle)
	out.w, out.h = out.w+framePad, out.h+framePad
	return out
}
