package dashboard

import "math"

// stat draws large values, side by side, each above its course where it has one.
func (a *Answers) stat(c *canvas, p *Panel, series []Series, b box) {
	n := min(len(series), 6)
	for i := range n {
		s := &series[i]
		f := p.field(s.Name)
		calc := "lastNotNull"
		if len(p.Options.ReduceOptions.Calcs) > 0 {
			calc = p.Options.ReduceOptions.Calcs[0]
		}
		text, colour := a.text(&f, calcs[calc].of(s.Points))
		if p.Options.TextMode == "name" {
			text = s.Name
		}
		if colour == "" {
			colour = textColour
		}
		cell := box{b.x + b.w*float64(i)/float64(n), b.y, b.w / float64(n), b.h}
		if p.Options.GraphMode == "area" && len(s.Points) > 2 {
			a.spark(c, s, colour, box{cell.x - 9, cell.y + cell.h*0.62, cell.w + 18, cell.h*0.38 + 7})
		}
		size := min(cell.h*0.42, 38, 34*cell.w/max(textWidth(text, 34), 1)*0.94)
		middle := cell.y + cell.h*0.42
		if p.Options.GraphMode == "area" {
			middle = cell.y + cell.h*0.28
		}
		c.text(cell.x+cell.w/2, middle+size*0.36, font{size: size, colour: colour, anchor: "middle", bold: true}, text)
		if n > 1 {
			c.text(cell.x+cell.w/2, cell.y+cell.h-4, font{size: 12, colour: dimColour, anchor: "middle"}, cut(s.Name, 12, cell.w-6))
		}
	}
}

// spark draws the course of a value.
func (a *Answers) spark(c *canvas, s *Series, colour string, b box) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range s.Points {
		low, high = min(low, p.Value), max(high, p.Value)
	}
	if low == high {
		low, high = low-1, high+4
	}
	x, y := a.across(b), scale{low, high, b.y + b.h - 3, b.y + 3}
	var stroke, fill trail
	for i, p := range s.Points {
		px, py := max(x.at(float64(p.At.Unix())), b.x), y.at(p.Value)
		if i == 0 {
			stroke.move(px, py)
			fill.move(px, b.y+b.h)
		}
		stroke.to(px, py)
		fill.to(px, py)
	}
	fill.to(b.x+b.w, b.y+b.h)
	c.add(`<path transform="scale(.1)" d="%s" fill="%s" opacity=".16"/>`, fill.path(), colour)
	c.add(`<path transform="scale(.1)" d="%s" stroke="%s" stroke-width="12" opacity=".8"/>`, stroke.path(), colour)
}
