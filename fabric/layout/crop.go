package layout

import "math"

// crop moves everything so that it begins at the margin, and sets the size.
func (l *Layout) crop() {
	low, high := Point{math.Inf(1), math.Inf(1)}, Point{}
	within := func(x, y float64) {
		low.X, low.Y = min(low.X, x), min(low.Y, y)
		high.X, high.Y = max(high.X, x), max(high.Y, y)
	}
	for i := range l.Boxes {
		b := &l.Boxes[i]
		within(b.X, b.Y)
		within(b.X+b.W, b.Y+b.H)
	}
	for i := range l.Frames {
		f := &l.Frames[i]
		within(f.X, f.Y)
		within(f.X+f.W, f.Y+f.H)
	}
	for i := range l.Edges {
		e := &l.Edges[i]
		for _, p := range e.Path {
			if e.Curved && p == e.Path[1] {
				// A curve goes half the way to its control point.
				p = Point{(p.X + (e.Path[0].X+e.Path[2].X)/2) / 2, (p.Y + (e.Path[0].Y+e.Path[2].Y)/2) / 2}
			}
			within(p.X, p.Y)
		}
	}
	if len(l.Boxes) == 0 {
		low = Point{}
	}
	l.move(margin-low.X, margin-low.Y)
	l.Width, l.Height = high.X-low.X+2*margin, high.Y-low.Y+2*margin
}

func (l *Layout) move(x, y float64) {
	for i := range l.Boxes {
		l.Boxes[i].X += x
		l.Boxes[i].Y += y
	}
	for i := range l.Frames {
		l.Frames[i].X += x
		l.Frames[i].Y += y
	}
	for i := range l.Edges {
		for k := range l.Edges[i].Path {
			l.Edges[i].Path[k].X += x
			l.Edges[i].Path[k].Y += y
		}
	}
}
