package layout

import (
	"math"
)

// connect makes the edges, in the order of their first links.
func (p *planner) connect() {
	l := p.l
	number := map[[2]int32]int{}
	for link := range p.f.Links() {
		a, b := l.box[link.A.Node().Index()], l.box[link.B.Node().Index()]
		if a == b {
			l.Boxes[a].Inner++
			continue
		}
		key := [2]int32{min(a, b), max(a, b)}
		at, ok := number[key]
		if !ok {
			at = len(l.Edges)
			number[key] = at
			l.Edges = append(l.Edges, Edge{A: int(key[0]), B: int(key[1])})
		}
		l.Edges[at].Links = append(l.Edges[at].Links, link)
	}
	for i := range l.Edges {
		l.route(&l.Edges[i])
	}
}

// route finds the path of an edge.
func (l *Layout) route(e *Edge) {
	a, b := &l.Boxes[e.A], &l.Boxes[e.B]
	switch {
	case b.Below == e.A && b.Kind == OneNode:
		e.Path = hang(a, b)
		return
	case l.isBeside(a, b):
		e.Path, e.Curved = sag(a, b), true
		return
	case a.Y+a.H < b.Y:
		e.Path = []Point{{a.X + a.W/2, a.Y + a.H}, {b.X + b.W/2, b.Y}}
		if bent := l.bow(a, b, e.Path); bent != nil {
			e.Path, e.Curved = bent, true
		}
		return
	case b.Y+b.H < a.Y:
		e.Path = []Point{{a.X + a.W/2, a.Y}, {b.X + b.W/2, b.Y + b.H}}
		if bent := l.bow(a, b, e.Path); bent != nil {
			e.Path, e.Curved = bent, true
		}
		return
	}
	p, q := a.Center(), b.Center()
	apart := math.Abs(p.X - q.X)
	if math.Abs(p.Y-q.Y) > 1 || apart < (a.W+b.W)/2+70 && a.Part == b.Part && a.Tier == b.Tier && !a.Turned {
		e.Path = []Point{p, q}
		return
	}
	// Of one row: over what is between them.
	p.Y, q.Y = a.Y, b.Y
	e.Path, e.Curved = []Point{p, {(p.X + q.X) / 2, min(a.Y, b.Y) - min(18+apart*0.12, 120)}, q}, true
}

// isBeside reports whether one of two boxes is hosts, and the other one a switch that
// they are not below, at about the same height.
func (l *Layout) isBeside(a, b *Box) bool {
	const level = 120
	if (a.Below < 0) == (b.Below < 0) || math.Abs(a.Y+a.H-b.Y-b.H) > level {
		return false
	}
	return (a.Below < 0 || &l.Boxes[a.Below] != b) && (b.Below < 0 || &l.Boxes[b.Below] != a)
}

// sag is a curve below what is between two boxes.
func sag(a, b *Box) []Point {
	p, q := Point{a.X + a.W/2, a.Y + a.H}, Point{b.X + b.W/2, b.Y + b.H}
	return []Point{p, {(p.X + q.X) / 2, max(p.Y, q.Y) + min(20+math.Abs(p.X-q.X)*0.12, 160)}, q}
}

// bow is a curve around what is between two boxes of one column, nil if nothing is.
func (l *Layout) bow(a, b *Box, ends []Point) []Point {
	apart := math.Abs(a.Y - b.Y)
	if a.Kind != OneNode || b.Kind != OneNode || math.Abs(ends[0].X-ends[1].X) > 1 || apart < 2*(a.H+b.H)+60 || a.Tier != b.Tier {
		return nil
	}
	side := max(a.W, b.W)/2 + min(apart*0.06, 60) + 10
	return []Point{{a.X + a.W/2, a.Y + a.H/2}, {a.X + a.W/2 + 2*side, (a.Y + b.Y + a.H) / 2}, {b.X + b.W/2, b.Y + b.H/2}}
}

// hang is the path from a switch down beside the column of hosts that one is in.
func hang(sw, host *Box) []Point {
	x, y := sw.X+sw.W/2, sw.Y+sw.H
	const bend = 4
	beside := host.X - min(host.W/8, 6)
	if host.W < 20 {
		beside = host.X - 1 // there is no more room between columns
	}
	mid := host.Y + host.H/2
	return []Point{{x, y}, {x, y + bend}, {beside, y + bend}, {beside, mid}, {host.X, mid}}
}
