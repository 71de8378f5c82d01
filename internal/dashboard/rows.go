package dashboard

// timeline draws a row for each series, and in it a bar for as long as a value stays.
func (a *Answers) timeline(c *canvas, p *Panel, series []Series, b box) {
	wide := 0.0
	for i := range series {
		wide = max(wide, textWidth(series[i].Name, 12))
	}
	wide = min(wide, b.w/3)
	area := b.shrink(wide+12, 0, 4, 20)
	a.times(c, area)
	x, height := a.across(area), area.h/float64(len(series))
	for i := range series {
		s := &series[i]
		f := p.field(s.Name)
		row := box{area.x, area.y + height*float64(i) + height*0.08, area.w, height * 0.84}
		c.text(area.x-8, row.y+row.h/2+4, font{size: 12, colour: textColour, anchor: "end"}, cut(s.Name, 12, wide+2))
		for from := 0; from < len(s.Points); {
			text, colour := a.text(&f, s.Points[from].Value)
			to := from + 1
			for to < len(s.Points) && s.Points[to].Value == s.Points[from].Value {
				to++
			}
			left, right := max(x.at(float64(s.Points[from].At.Unix())), area.x), area.x+area.w
			if to < len(s.Points) {
				right = x.at(float64(s.Points[to].At.Unix()))
			}
			c.rect(box{left, row.y, max(right-left, 0.8), row.h}, colour, ` opacity="0.85"`)
			if textWidth(text, 12)+8 < right-left && row.h > 13 {
				c.text(left+5, row.y+row.h/2+4.5, font{size: 12, colour: "#111217"}, text)
			}
			from = to
		}
	}
}

// bars draws a bar for each series: its name, and its value at the end.
func (a *Answers) bars(c *canvas, p *Panel, series []Series, b box) {
	high, names, values := 0.0, 0.0, 0.0
	for i := range series {
		s := &series[i]
		f := p.field(s.Name)
		text, _ := a.text(&f, s.last())
		high, names, values = max(high, s.last()), max(names, textWidth(s.Name, 12)), max(values, textWidth(text, 14))
	}
	if m := p.FieldConfig.Defaults.Max; m != nil {
		high = *m
	}
	names = min(names, b.w*0.5)
	height := min(b.h/float64(len(series)), 34)
	for i := range series {
		s := &series[i]
		f := p.field(s.Name)
		text, colour := a.text(&f, s.last())
		y := b.y + height*float64(i)
		bar := box{b.x + names + 10, y + height*0.12, b.w - names - values - 24, height * 0.76}
		c.text(bar.x-8, y+height/2+4, font{size: 12, colour: textColour, anchor: "end"}, cut(s.Name, 12, names+2))
		c.rect(bar, "#22252b", ` rx="2"`)
		if high > 0 {
			filled := bar
			filled.w *= min(s.last()/high, 1)
			c.rect(filled, colour, ` opacity="0.3"`)
			c.rect(box{filled.x + max(filled.w-2, 0), filled.y, 2, filled.h}, colour, "")
		}
		c.text(b.x+b.w, y+height/2+5, font{size: 14, colour: colour, anchor: "end"}, text)
	}
}
