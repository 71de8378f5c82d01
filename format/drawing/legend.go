package drawing

import (
	"cmp"
	"slices"
	"sort"

	"github.com/ibscope/ibscope/fabric/layout"
	"github.com/ibscope/ibscope/fabric/topology"
)

// head writes the title.
func (p *painter) head() {
	width := p.d.Width - 2*legendLeft
	p.d.Texts = append(p.d.Texts,
		Text{X: legendLeft, Y: 28, Size: 18, Bold: true, Fill: Ink, Value: Shorten(p.d.Title, fits(width, 18))},
		Text{X: legendLeft, Y: 48, Size: 12, Fill: Faint, Value: Shorten(p.d.Subtitle, fits(width, 12))})
}

const legendLeft, legendLine = 24, 22

// legend explains the colours that are used, and gives its height.
func (p *painter) legend(top float64) float64 {
	x, y := float64(legendLeft), top+14
	next := func(width float64) {
		if x > legendLeft && x+width > p.d.Width-legendLeft {
			x, y = legendLeft, y+legendLine
		}
	}
	text := func(s string) {
		p.d.Texts = append(p.d.Texts, Text{X: x, Y: y + 4, Size: 11, Fill: Ink, Value: s})
		x += float64(len([]rune(s)))*6.4 + 18
	}
	for _, s := range p.usedStyles() {
		next(170)
		p.d.Lines = append(p.d.Lines, Line{
			Points: []layout.Point{{X: x, Y: y}, {X: x + 30, Y: y}}, Stroke: s.Colour, Width: 2.5, Dash: s.Dash, Opacity: 1,
		})
		x += 36
		text(s.Name)
	}
	if len(p.l.Edges) > 0 {
		x, y = legendLeft, y+legendLine
	}
	for _, r := range p.usedRoles() {
		next(110)
		fill, stroke := RoleColours(r)
		p.d.Boxes = append(p.d.Boxes, Rect{X: x, Y: y - 6, W: 16, H: 12, Round: 2, Fill: fill, Stroke: stroke})
		x += 22
		text(string(r))
	}
	for _, note := range p.notes() {
		next(float64(len(note)) * 6.4)
		text(note)
	}
	return y - top + 22
}

// usedStyles are those of the lines, the plainest first.
func (p *painter) usedStyles() []Style {
	var list []Style
	for _, s := range p.styles {
		list = append(list, s)
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Name, b.Name)) < 0
	})
	return list
}

// roles is the order in the legend.
var roles = []topology.Role{
	topology.RoleCore, topology.RoleSpine, topology.RoleLeaf, topology.RoleSwitch, topology.RoleHost, topology.RoleStorage,
	topology.RoleManagement, topology.RoleGateway, topology.RoleAggregation, topology.RoleRouter,
}

func (p *painter) usedRoles() []topology.Role {
	used := map[topology.Role]bool{}
	for i := range p.l.Boxes {
		used[p.l.Boxes[i].Role] = true
	}
	return slices.DeleteFunc(slices.Clone(roles), func(r topology.Role) bool { return !used[r] })
}

// notes explain what is not plain to see.
func (p *painter) notes() (list []string) {
	if p.l.Dense && p.l.Collapse != layout.None {
		list = append(list, "numbers below switches: adapters")
	}
	list = append(list, "width of a line: lanes")
	if p.numbered {
		list = append(list, "×2: parallel links")
	}
	return list
}
