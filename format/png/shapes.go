package png

import (
	"image/color"
	"math"

	"github.com/ibscope/ibscope/fabric/layout"
	"github.com/ibscope/ibscope/format/drawing"
)

func (c *canvas) rect(r *drawing.Rect) {
	if r.Fill != "" {
		c.rounded(r.X, r.Y, r.W, r.H, r.Round)
		c.fill(colourOf(r.Fill, 1))
	}
	if r.Stroke == "" {
		return
	}
	var dash []float64
	if r.Dashed {
		dash = []float64{4, 3}
	}
	c.rounded(r.X, r.Y, r.W, r.H, r.Round)
	outline := append([]spot{}, c.path...)
	outline = append(outline, outline[0])
	c.path, c.ends = c.path[:0], c.ends[:0]
	c.stroke(outline, c.scale, dash, colourOf(r.Stroke, 1))
}

// rounded is the contour of a rectangle with round corners.
func (c *canvas) rounded(x, y, w, h, round float64) {
	const steps = 4
	round = min(round, w/2, h/2)
	for corner := range 4 {
		cx, cy := x+w-round, y+round
		if corner == 1 || corner == 2 {
			cy = y + h - round
		}
		if corner > 1 {
			cx = x + round
		}
		for i := range steps + 1 {
			at := (float64(corner) - 1 + float64(i)/steps) * math.Pi / 2
			c.add(cx+round*math.Cos(at), cy+round*math.Sin(at))
		}
	}
	c.closePath()
}

func (c *canvas) add(x, y float64) { c.path = append(c.path, spot{x * c.scale, y * c.scale}) }

func (c *canvas) line(l *drawing.Line) {
	c.stroke(c.flat(l), max(l.Width*c.scale, 0.6), l.Dash, colourOf(l.Stroke, l.Opacity))
}

// flat is the path of a line in pixels, curves as many short lines.
func (c *canvas) flat(l *drawing.Line) []spot {
	at := func(p layout.Point) spot { return spot{p.X * c.scale, p.Y * c.scale} }
	var path []spot
	if !l.Curved {
		for _, p := range l.Points {
			path = append(path, at(p))
		}
		return path
	}
	const steps = 24
	a, m, b := at(l.Points[0]), at(l.Points[1]), at(l.Points[2])
	for i := range steps + 1 {
		t := float64(i) / steps
		u := 1 - t
		path = append(path, spot{u*u*a.x + 2*u*t*m.x + t*t*b.x, u*u*a.y + 2*u*t*m.y + t*t*b.y})
	}
	return path
}

// stroke paints a path with a pen, in dashes of these lengths.
func (c *canvas) stroke(path []spot, width float64, dash []float64, colour color.NRGBA) {
	if len(dash) < 2 {
		for i := range path[1:] {
			c.piece(path[i], path[i+1], width, colour)
		}
		return
	}
	on, left := true, dash[0]*c.scale
	for i := range path[1:] {
		from, to := path[i], path[i+1]
		for {
			length := math.Hypot(to.x-from.x, to.y-from.y)
			if length <= left {
				if on {
					c.piece(from, to, width, colour)
				}
				left -= length
				break
			}
			next := spot{from.x + (to.x-from.x)*left/length, from.y + (to.y-from.y)*left/length}
			if on {
				c.piece(from, next, width, colour)
			}
			from, on = next, !on
			left = dash[1] * c.scale
			if on {
				left = dash[0] * c.scale
			}
		}
	}
}

// chunk is the length in pixels of what is painted at once: the cost of a slanted
// line grows with the area around it.
const chunk = 96

// piece paints a straight piece.
func (c *canvas) piece(a, b spot, width float64, colour color.NRGBA) {
	length := math.Hypot(b.x-a.x, b.y-a.y)
	if length == 0 {
		return
	}
	dx, dy := (b.x-a.x)/length*width/2, (b.y-a.y)/length*width/2
	steps := int(math.Ceil(length / chunk))
	more := 0.0
	if colour.A == 255 {
		more = 0.5 / length // pieces overlap, so that no seam is seen
	}
	for i := range steps {
		s, e := along(a, b, float64(i)/float64(steps)), along(a, b, min(1, float64(i+1)/float64(steps)+more))
		c.path = append(c.path, spot{s.x - dy, s.y + dx}, spot{e.x - dy, e.y + dx}, spot{e.x + dy, e.y - dx}, spot{s.x + dy, s.y - dx})
		c.closePath()
		c.fill(colour)
	}
}

// along is a place between two others.
func along(a, b spot, t float64) spot { return spot{a.x + (b.x-a.x)*t, a.y + (b.y-a.y)*t} }
