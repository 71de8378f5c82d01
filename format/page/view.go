package page

import (
	"math"

	"github.com/ibscope/ibscope/fabric/layout"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format/drawing"
)

// view turns a layout into what the script draws.
func (g *gatherer) view(name string, l *layout.Layout) view {
	v := view{
		Name: name, Width: round(l.Width), Height: round(l.Height),
		Boxes: make([]box, 0, len(l.Boxes)), Edges: make([]edge, 0, len(l.Edges)), Frames: []frame{},
	}
	for i := range l.Frames {
		f := &l.Frames[i]
		v.Frames = append(v.Frames, frame{place(f.X, f.Y, f.W, f.H), drawing.FrameCaption(f, g.t)})
	}
	for i := range l.Boxes {
		v.Boxes = append(v.Boxes, g.box(l, &l.Boxes[i]))
	}
	for i := range l.Edges {
		v.Edges = append(v.Edges, g.edge(&l.Edges[i]))
	}
	return v
}

func (g *gatherer) box(l *layout.Layout, b *layout.Box) box {
	first, second := drawing.Caption(l, g.t, b, g.o.Name)
	item := box{
		Place: place(b.X, b.Y, b.W, b.H), Role: g.roleOf(b.Role), First: first, Second: second,
		Turned: b.Turned, Many: b.Kind != layout.OneNode, Nodes: make([]int, 0, len(b.Nodes)),
	}
	for _, n := range b.Nodes {
		item.Nodes = append(item.Nodes, n.Index())
	}
	return item
}

func (g *gatherer) edge(e *layout.Edge) edge {
	s := drawing.StyleOf(e.Links, g.o.Errors)
	at, known := g.style[s.Name]
	if !known {
		at = len(g.d.Styles)
		g.style[s.Name] = at
		g.d.Styles = append(g.d.Styles, style{s.Name, s.Colour, s.Dash, s.Rank})
	}
	item := edge{A: e.A, B: e.B, Curved: e.Curved, Style: at, Width: round(s.Width), Links: make([]int, 0, len(e.Links))}
	for _, p := range e.Path {
		item.Path = append(item.Path, round(p.X), round(p.Y))
	}
	for _, l := range e.Links {
		item.Links = append(item.Links, g.links[[2]int{l.A.Node().Index(), l.A.Num()}])
	}
	return item
}

func (g *gatherer) roleOf(r topology.Role) int {
	at, known := g.role[r]
	if !known {
		at = len(g.d.Roles)
		g.role[r] = at
		fill, stroke := drawing.RoleColours(r)
		g.d.Roles = append(g.d.Roles, roleStyle{string(r), fill, stroke})
	}
	return at
}

func place(x, y, w, h float64) [4]float64 { return [4]float64{round(x), round(y), round(w), round(h)} }

// round keeps a tenth of a pixel.
func round(v float64) float64 { return math.Round(v*10) / 10 }
