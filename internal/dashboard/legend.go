package dashboard

import (
	"cmp"
	"math"
	"slices"
)

// lineOfLegend is the height of a line of a legend.
const lineOfLegend = 19

// calcs are what legends and stats say of a series, by Grafana's names.
var calcs = map[string]struct {
	title string
	of    func([]Point) float64
}{
	"lastNotNull": {"Last *", func(p []Point) float64 { return p[len(p)-1].Value }},
	"max":         {"Max", func(p []Point) float64 { return slices.MaxFunc(p, byValue).Value }},
	"min":         {"Min", func(p []Point) float64 { return slices.MinFunc(p, byValue).Value }},
	"mean":        {"Mean", func(p []Point) float64 { return total(p) / float64(len(p)) }},
	"sum":         {"Total", total},
}

func byValue(a, b Point) int { return cmp.Compare(a.Value, b.Value) }

func total(p []Point) (sum float64) {
	for _, v := range p {
		if !math.IsNaN(v.Value) {
			sum += v.Value
		}
	}
	return sum
}

// legend draws the legend, and gives what is left of a panel.
func (pl *plot) legend(b box) box {
	o := &pl.panel.Options.Legend
	if o.ShowLegend != nil && !*o.ShowLegend || o.DisplayMode == "hidden" {
		return b
	}
	var list []string
	for _, name := range o.Calcs {
		if _, ok := calcs[name]; ok {
			list = append(list, name)
		}
	}
	if o.DisplayMode == "list" {
		return pl.listLegend(b)
	}
	if o.Placement == "right" {
		w := max(o.Width, 180)
		pl.tableLegend(box{b.x + b.w - w, b.y - 6, w, b.h + 6}, list)
		return b.shrink(0, 0, w+14, 0)
	}
	h := float64(min(len(pl.lines)+1, max(int(b.h*0.38)/lineOfLegend, 2)) * lineOfLegend)
	pl.tableLegend(box{b.x, b.y + b.h - h, b.w, h}, list)
	return b.shrink(0, 0, 0, h+6)
}

// listLegend is one line of names.
func (pl *plot) listLegend(b box) box {
	x, y, lines := b.x+4, b.y+b.h-4, 1
	for i := range pl.lines {
		if w := textWidth(pl.lines[i].Name, 12) + 34; x+w > b.x+b.w && x > b.x+4 {
			x, lines = b.x+4, lines+1
		} else {
			x += w
		}
	}
	x, y = b.x+4, y-float64((lines-1)*lineOfLegend)
	for i := range pl.lines {
		l := &pl.lines[i]
		w := textWidth(l.Name, 12) + 34
		if x+w > b.x+b.w && x > b.x+4 {
			x, y = b.x+4, y+lineOfLegend
		}
		pl.canvas.rect(box{x, y - 5.5, 14, 4}, l.colour, ` rx="2"`)
		pl.canvas.text(x+19, y, font{size: 12, colour: textColour}, l.Name)
		x += w
	}
	return b.shrink(0, 0, 0, float64(lines*lineOfLegend)+4)
}

// tableLegend has a line for each series, with what is said of it.
func (pl *plot) tableLegend(b box, list []string) {
	const wide = 72
	c, y := pl.canvas, b.y+13
	for i, name := range list {
		c.text(b.x+b.w-float64(len(list)-1-i)*wide, y, font{size: 11.5, colour: linkColour, anchor: "end", bold: true}, calcs[name].title)
	}
	for i := range pl.lines {
		l := &pl.lines[i]
		y += lineOfLegend
		if y > b.y+b.h {
			return
		}
		c.rect(box{b.x + 4, y - 6, 14, 4}, l.colour, ` rx="2"`)
		c.text(b.x+23, y, font{size: 12, colour: textColour}, cut(l.Name, 12, b.w-30-float64(len(list))*wide))
		for j, name := range list {
			text, _ := pl.text(&l.field, calcs[name].of(l.Points))
			c.text(b.x+b.w-float64(len(list)-1-j)*wide, y, font{size: 12, colour: textColour, anchor: "end"}, text)
		}
	}
}
