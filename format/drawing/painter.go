package drawing

import (
	"cmp"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/layout"
	"github.com/ibscope/ibscope/fabric/topology"
)

// painter turns a layout into shapes.
type painter struct {
	f      *fabric.Fabric
	t      *topology.Topology
	o      *Options
	l      *layout.Layout
	d      *Drawing
	x, y   float64 // where the layout begins
	styles map[string]Style

	numbered bool // a line has the number of its links
}

// Colours of boxes by role: the inside and the border.
var roleColours = map[topology.Role][2]string{
	topology.RoleHost:        {"#eef5ea", "#6b8e5a"},
	topology.RoleStorage:     {"#fdf3d8", "#a67c00"},
	topology.RoleManagement:  {"#fde8ef", "#b03a6a"},
	topology.RoleGateway:     {"#e0f4f4", "#2b7f7f"},
	topology.RoleAggregation: {"#f0f0f0", "#8a8f98"},
	topology.RoleLeaf:        {"#dbe9f6", "#2f5d8a"},
	topology.RoleSpine:       {"#e6e0f3", "#5a4690"},
	topology.RoleCore:        {"#f7e6d5", "#9a5b1c"},
	topology.RoleSwitch:      {"#e8ecf0", "#52606d"},
	topology.RoleRouter:      {"#ffe3d6", "#b5482a"},
}

// RoleColours are the inside and the border of the box of a node.
func RoleColours(r topology.Role) (fill, stroke string) {
	c, ok := roleColours[r]
	if !ok {
		c = roleColours[topology.RoleSwitch]
	}
	return c[0], c[1]
}

func (p *painter) frames() {
	for i := range p.l.Frames {
		f := &p.l.Frames[i]
		r := Rect{X: f.X + p.x, Y: f.Y + p.y, W: f.W, H: f.H, Round: 6, Stroke: frameStroke, Fill: frameFill}
		r.Dashed = f.Kind == layout.FrameRail
		p.d.Rects = append(p.d.Rects, r)
		text := FrameCaption(f, p.t)
		p.d.Texts = append(p.d.Texts, Text{X: r.X + 8, Y: r.Y + 15, Size: 11, Fill: Faint, Value: Shorten(text, fits(f.W-10, 11)), Halo: true})
	}
}

// fits is how many characters of a size fit into a width.
func fits(width, size float64) int { return max(int(width/(size*0.58)), 1) }

// The numbers of lines beyond which they are thin and let others shine through.
const some, many = 180, 600

func (p *painter) links() {
	p.styles = map[string]Style{}
	type drawn struct {
		line Line
		rank int
	}
	var list []drawn
	var numbers []Text
	between := p.between()
	for i := range p.l.Edges {
		e := &p.l.Edges[i]
		s := StyleOf(e.Links, p.o.Errors)
		p.styles[s.Name] = s
		line := Line{Points: p.move(e.Path), Curved: e.Curved, Stroke: s.Colour, Width: s.Width, Dash: s.Dash, Opacity: 0.9, Tip: p.tip(e.Links)}
		if !p.isToHosts(e) {
			line.fade(between, s.Rank >= plain)
			if between > some && s.Rank >= plain {
				list = append(list, drawn{line.halo(), s.Rank})
			}
		}
		list = append(list, drawn{line, s.Rank})
		if len(e.Links) > 1 && between <= mostNumbers && !p.isToHosts(e) {
			p.numbered = true
			numbers = append(numbers, p.bundleNumber(&line, len(e.Links)))
		}
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return cmp.Compare(a.rank, b.rank) < 0
	})
	for _, d := range list {
		p.d.Lines = append(p.d.Lines, d.line)
	}
	p.d.Texts = append(p.d.Texts, numbers...)
}

// fade makes a line one of many; one that tells of a fault stays strong.
func (l *Line) fade(lines int, fault bool) {
	width, opacity := 1.0, l.Opacity
	switch {
	case lines > many:
		width, opacity = 0.6, 0.3
	case lines > some:
		width, opacity = 0.65, 0.4
	}
	if fault {
		l.Width = max(l.Width*width, 2)
		return
	}
	l.Width, l.Opacity = max(l.Width*width, 0.7), opacity
}

// halo is what keeps the others off a line that tells of a fault.
func (l *Line) halo() Line {
	return Line{Points: l.Points, Curved: l.Curved, Stroke: Paper, Width: l.Width + 3, Opacity: 0.9}
}

// mostNumbers is the number of lines beyond which those that stand for several links
// do not say for how many; their tooltips do.
const mostNumbers = 260

// between is the number of lines between switches.
func (p *painter) between() (n int) {
	for i := range p.l.Edges {
		if !p.isToHosts(&p.l.Edges[i]) {
			n++
		}
	}
	return n
}

func (p *painter) isToHosts(e *layout.Edge) bool {
	return p.l.Boxes[e.A].Below >= 0 || p.l.Boxes[e.B].Below >= 0
}

// bundleNumber is the text that tells how many links a line stands for, at the
// first of a few places on the line where no box is.
func (p *painter) bundleNumber(l *Line, n int) Text {
	t := Text{Size: 9, Middle: true, Halo: true, Fill: Faint, Value: "×" + strconv.Itoa(n)}
	for _, at := range []float64{0.25, 0.4, 0.55, 0.7, 0.12} {
		place := pointAt(l, at)
		t.X, t.Y = place.X, place.Y+3
		if !p.isOnBox(place) {
			break
		}
	}
	return t
}

// pointAt is a place on the way from the beginning of a line, 0, to its end, 1.
func pointAt(l *Line, at float64) layout.Point {
	a, b := l.Points[0], l.Points[len(l.Points)-1]
	m := layout.Point{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2}
	if l.Curved {
		m = l.Points[1]
	}
	u := 1 - at
	return layout.Point{X: u*u*a.X + 2*u*at*m.X + at*at*b.X, Y: u*u*a.Y + 2*u*at*m.Y + at*at*b.Y}
}

func (p *painter) isOnBox(at layout.Point) bool {
	const near = 6
	x, y := at.X-p.x, at.Y-p.y
	for i := range p.l.Boxes {
		b := &p.l.Boxes[i]
		if x > b.X-near && x < b.X+b.W+near && y > b.Y-near && y < b.Y+b.H+near {
			return true
		}
	}
	return false
}

func (p *painter) move(path []layout.Point) []layout.Point {
	moved := make([]layout.Point, len(path))
	for i, at := range path {
		moved[i] = layout.Point{X: at.X + p.x, Y: at.Y + p.y}
	}
	return moved
}

func (p *painter) nodes() {
	for i := range p.l.Boxes {
		b := &p.l.Boxes[i]
		fill, stroke := RoleColours(b.Role)
		r := Rect{X: b.X + p.x, Y: b.Y + p.y, W: b.W, H: b.H, Round: 2, Fill: fill, Stroke: stroke, Tip: p.boxTip(b)}
		if b.Below >= 0 {
			r.Round = min(b.H/2, 7)
		}
		p.d.Boxes = append(p.d.Boxes, r)
		p.caption(b, &r)
	}
}

// caption writes into a box.
func (p *painter) caption(b *layout.Box, r *Rect) {
	first, second := Caption(p.l, p.t, b, p.o.Name)
	t := Text{X: r.X + r.W/2, Y: r.Y + r.H/2 + 3.5, Size: 10, Middle: true, Fill: Ink}
	switch {
	case b.H < 10:
		return
	case b.Turned:
		t.X, t.Y, t.Turned = r.X+r.W/2+3.5, r.Y+r.H/2, true
		t.Value = Shorten(first, fits(b.H-6, 10))
	case second != "":
		t.Y -= 6
		t.Value, t.Bold = Shorten(first, fits(b.W-6, 10)), true
		p.d.Texts = append(p.d.Texts, t)
		t.Y, t.Size, t.Bold, t.Fill = t.Y+14, 9, false, Faint
		t.Value = Shorten(second, fits(b.W-4, 9))
	default:
		if b.H < 22 {
			t.Size = 9
		}
		t.Value = Shorten(first, fits(b.W-6, t.Size))
	}
	p.d.Texts = append(p.d.Texts, t)
}

func (p *painter) boxTip(b *layout.Box) string {
	var lines []string
	if b.Kind != layout.OneNode {
		first, second := Caption(p.l, p.t, b, p.o.Name)
		lines = append(lines, strings.TrimSuffix(first+", "+second, ", "))
	}
	for i, n := range b.Nodes {
		if i == maxTip {
			lines = append(lines, fmt.Sprintf("… and %d more", len(b.Nodes)-maxTip))
			break
		}
		text := fmt.Sprintf("%s: %s, GUID %s", NameOf(n, p.o.Name), p.t.Place(n).Role, n.GUID())
		if lid := LIDOf(n); lid != 0 {
			text += fmt.Sprintf(", LID %d", lid)
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}

// LIDOf is the first LID of a node, 0 for none.
func LIDOf(n *fabric.Node) int {
	for port := range n.Ports() {
		if lid := port.LID(); lid != 0 {
			return int(lid)
		}
	}
	return 0
}
