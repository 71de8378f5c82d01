package dashboard

import (
	"fmt"
	"math"
	"time"
)

// plot is a panel of lines while it is drawn.
type plot struct {
	*Answers
	canvas *canvas
	panel  *Panel
	lines  []plotted
	area   box
	x, y   scale
	step   time.Duration // between points
}

// plotted is a line with its colour, and where it begins: below it are those on which it
// is stacked.
type plotted struct {
	*Series
	field  Field
	colour string
	below  []float64 // nil for 0
}

func (a *Answers) timeseries(c *canvas, p *Panel, series []Series, b box) {
	pl := &plot{Answers: a, canvas: c, panel: p}
	for i := range series {
		s := &series[i]
		l := plotted{Series: s, field: p.field(s.Name), colour: palette[i%len(palette)]}
		if l.field.Color.Mode == "fixed" {
			l.colour = named(l.field.Color.FixedColor)
		}
		pl.lines = append(pl.lines, l)
	}
	b = pl.legend(b)
	pl.measure()
	pl.stack()
	pl.axes(b)
	for _, m := range a.marks {
		x := pl.x.at(float64(m.At.Unix()))
		c.line(x, pl.area.y, x, pl.area.y+pl.area.h, m.Colour, ` stroke-dasharray="2 3" opacity="0.45"`)
		c.add(`<path d="M%s %sl3.5 5h-7z" fill="%s"/>`, px(x), px(pl.area.y+pl.area.h), m.Colour)
	}
	for i := range pl.lines {
		if pl.lines[i].field.Custom.DrawStyle == "bars" {
			pl.bars(&pl.lines[i])
		} else {
			pl.line(&pl.lines[i])
		}
	}
}

// measure finds the time between two points.
func (pl *plot) measure() {
	pl.step = pl.length()
	for _, l := range pl.lines {
		for i := 1; i < len(l.Points); i++ {
			pl.step = min(pl.step, l.Points[i].At.Sub(l.Points[i-1].At))
		}
	}
}

// stack puts lines on each other where the panel wants it.
func (pl *plot) stack() {
	if pl.panel.FieldConfig.Defaults.Custom.Stacking.Mode != "normal" {
		return
	}
	sums := map[int64]float64{}
	for i := range pl.lines {
		l := &pl.lines[i]
		for _, p := range l.Points {
			l.below = append(l.below, sums[p.At.Unix()])
			sums[p.At.Unix()] += p.Value
		}
	}
}

// axes finds the scales and draws them.
func (pl *plot) axes(b box) {
	low, high, whole := math.Inf(1), math.Inf(-1), true
	for i := range pl.lines {
		l := &pl.lines[i]
		for j, p := range l.Points {
			v := p.Value + l.base(j)
			low, high = min(low, v), max(high, v)
			whole = whole && v == math.Trunc(v)
		}
	}
	f := &pl.panel.FieldConfig.Defaults
	if f.Min != nil {
		low = min(*f.Min, low)
	}
	if f.Max != nil {
		high = max(*f.Max, high)
	}
	if low >= high {
		high = low + 1
	}
	if f.Max == nil {
		high += (high - low) * 0.05
	}
	list, wide := f.ticks(low, high, max(int(b.h/45), 2), whole), 0.0
	label := func(v float64) string {
		field := *f
		field.Mappings, field.Decimals = nil, nil
		s, _ := field.text(v)
		return s
	}
	for _, v := range list {
		wide = max(wide, textWidth(label(v), 11))
	}
	pl.area = b.shrink(wide+8, 4, 4, 20)
	pl.x = pl.across(pl.area)
	pl.y = scale{low, high, pl.area.y + pl.area.h, pl.area.y}
	for _, v := range list {
		y := pl.y.at(v)
		pl.canvas.line(pl.area.x, y, pl.area.x+pl.area.w, y, gridColour, "")
		pl.canvas.text(pl.area.x-6, y+4, font{size: 11, colour: dimColour, anchor: "end"}, label(v))
	}
	pl.times(pl.canvas, pl.area)
}

// ticks are the numbers that an axis names, round ones in the unit.
func (f *Field) ticks(low, high float64, wanted int, whole bool) []float64 {
	switch {
	case f.Unit == "s":
		return durations(low, high, wanted)
	case f.Unit == "bytes" && high > 1024:
		unit := math.Pow(1024, math.Floor(math.Log(high)/math.Log(1024)))
		list := ticks(low/unit, high/unit, wanted, false)
		for i := range list {
			list[i] *= unit
		}
		return list
	case f.Unit == "percentunit":
		return ticks(low, high, wanted, false)
	}
	return ticks(low, high, wanted, whole)
}

// base is what the point with a number stands on.
func (l *plotted) base(i int) float64 {
	if l.below == nil {
		return 0
	}
	return l.below[i]
}

// line draws a line, and fills what is below it.
func (pl *plot) line(l *plotted) {
	var fill, stroke trail
	for from := 0; from < len(l.Points); {
		to := from + 1
		for to < len(l.Points) && l.Points[to].At.Sub(l.Points[to-1].At) <= pl.step*3/2 {
			to++
		}
		pl.piece(l, from, to, &stroke, &fill)
		from = to
	}
	if o := l.field.Custom.FillOpacity; o > 0 {
		pl.canvas.add(`<path transform="scale(.1)" d="%s" fill="%s" opacity="%s"/>`, fill.path(), l.colour, trimmed(o/100))
	}
	pl.canvas.add(`<path transform="scale(.1)" d="%s" stroke="%s" stroke-width="%s" stroke-linejoin="round" stroke-linecap="round"/>`,
		stroke.path(), l.colour, px(max(l.field.Custom.LineWidth, 1)*13))
}

func trimmed(v float64) string { return fmt.Sprintf("%.2g", v) }

// piece draws what is between two gaps.
func (pl *plot) piece(l *plotted, from, to int, stroke, fill *trail) {
	at := func(i int, v float64) (x, y float64) {
		return max(pl.x.at(float64(l.Points[i].At.Unix())), pl.area.x), pl.y.at(v)
	}
	x, y := at(from, l.base(from)+l.Points[from].Value)
	stroke.move(x, y)
	if to == from+1 {
		stroke.to(x+0.1, y)
	}
	bottom := max(pl.y.low, 0)
	fx, fy := at(from, max(l.base(from), bottom))
	fill.move(fx, fy)
	fill.to(x, y)
	for i := from + 1; i < to; i++ {
		x, y = at(i, l.base(i)+l.Points[i].Value)
		stroke.to(x, y)
		fill.to(x, y)
	}
	for i := to - 1; i >= from; i-- {
		fill.to(at(i, max(l.base(i), bottom)))
	}
}

// bars draws a bar for each value.
func (pl *plot) bars(l *plotted) {
	var path trail
	wide := max(pl.area.w*float64(pl.step)/float64(pl.length())*0.85, 1)
	for i, p := range l.Points {
		if p.Value == 0 {
			continue
		}
		x := pl.x.at(float64(p.At.Unix()))
		left, right := max(x-wide/2, pl.area.x), min(x+wide/2, pl.area.x+pl.area.w)
		low, high := pl.y.at(l.base(i)), pl.y.at(l.base(i)+p.Value)
		path.move(left, low)
		path.to(left, high)
		path.to(right, high)
		path.to(right, low)
	}
	pl.canvas.add(`<path transform="scale(.1)" d="%s" fill="%s" opacity="%s"/>`, path.path(), l.colour, trimmed(max(l.field.Custom.FillOpacity, 30)/100))
}
