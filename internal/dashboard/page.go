package dashboard

import (
	"io"
	"math"
	"strings"
)

// The page in pixels. Grafana's grid has 24 columns, and rows of 30 pixels with 8 between.
const (
	columns    = 24
	pageWidth  = 1400
	margin     = 12
	gap        = 8
	rowHeight  = 30 + gap
	headHeight = 84
	titleSpace = 34 // of a panel, above what it shows
)

// fonts are those of Helvetica's width: textWidth counts on it.
const fonts = `Helvetica,Arial,'Liberation Sans',sans-serif`

// Write writes the page as SVG.
func (a *Answers) Write(w io.Writer) error {
	var c canvas
	height := 0
	for i := range a.Panels {
		height = max(height, a.Panels[i].GridPos.Y+a.Panels[i].GridPos.H)
	}
	c.add(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="%s" fill="none">`,
		pageWidth, headHeight+height*rowHeight+margin-gap, fonts)
	c.add(`<title>%s</title>`, escaper.Replace(a.Title))
	c.rect(box{0, 0, pageWidth, float64(headHeight + height*rowHeight + margin - gap)}, pageColour, "")
	a.head(&c)
	for i := range a.Panels {
		a.panel(&c, &a.Panels[i], &a.panels[i])
	}
	c.add(`</svg>`)
	_, err := io.WriteString(w, c.String())
	return err
}

// head draws the title, the time shown and the variables.
func (a *Answers) head(c *canvas) {
	c.rect(box{0, 0, pageWidth, 40}, panelColour, "")
	c.line(0, 40, pageWidth, 40, borderColour, "")
	folder, title, ok := strings.Cut(a.Title, " / ")
	if !ok {
		folder, title = "", a.Title
	}
	x := float64(margin + 4)
	if folder != "" {
		c.text(x, 26, font{size: 15, colour: dimColour}, folder+"  ›")
		x += textWidth(folder+"  ›", 15) + 14
	}
	c.text(x, 26, font{size: 15, colour: textColour, bold: true}, title)
	when := a.start.UTC().Format("15:04") + " to " + a.end.UTC().Format("15:04") + " UTC"
	if a.length() >= 24*60*60*1e9 {
		when = "Last 24 hours"
	}
	w := textWidth(when, 13) + 20
	c.rect(box{pageWidth - margin - w, 7, w, 26}, "#22252b", ` stroke="#3a3d44" rx="2"`)
	c.text(pageWidth-margin-w/2, 25, font{size: 13, colour: textColour, anchor: "middle"}, when)
	x = margin
	for _, v := range a.Templating.List {
		if v.Hide == 2 {
			continue
		}
		label, value := v.Label, a.shown[v.Name]
		if label == "" {
			label = v.Name
		}
		lw, vw := textWidth(label, 12)+18, textWidth(value, 13)+36
		c.rect(box{x, 49, lw, 28}, panelColour, ` stroke="`+borderColour+`"`)
		c.text(x+9, 67, font{size: 12, colour: textColour, bold: true}, label)
		c.rect(box{x + lw, 49, vw, 28}, pageColour, ` stroke="#3a3d44"`)
		c.text(x+lw+9, 67, font{size: 13, colour: textColour}, value)
		c.add(`<path d="M%s 61l4 4 4-4" stroke="%s" stroke-width="1.4"/>`, px(x+lw+vw-19), dimColour)
		x += lw + vw + 10
	}
}

func (a *Answers) panel(c *canvas, p *Panel, got *answer) {
	cell := float64(pageWidth-2*margin+gap) / columns
	b := box{
		margin + math.Round(float64(p.GridPos.X)*cell), float64(headHeight + p.GridPos.Y*rowHeight),
		math.Round(float64(p.GridPos.X+p.GridPos.W)*cell) - math.Round(float64(p.GridPos.X)*cell) - gap, float64(p.GridPos.H*rowHeight - gap),
	}
	if p.Type == "row" {
		c.add(`<path d="M%s %sl4 4 4-4" stroke="%s" stroke-width="1.6"/>`, px(b.x+4), px(b.y+14), textColour)
		c.text(b.x+22, b.y+21, font{size: 15, colour: textColour, bold: true}, p.Title)
		return
	}
	c.rect(b, panelColour, ` stroke="`+borderColour+`" rx="2"`)
	c.text(b.x+10, b.y+21, font{size: 13.5, colour: textColour, bold: true}, cut(p.Title, 14.5, b.w-20))
	inner := b.shrink(10, titleSpace, 10, 8)
	if len(got.series) == 0 {
		c.text(b.x+b.w/2, b.y+b.h/2+8, font{size: 14, colour: dimColour, anchor: "middle"}, "No data")
		return
	}
	switch p.Type {
	case "stat":
		a.stat(c, p, got.series, inner)
	case "timeseries":
		a.timeseries(c, p, got.series, inner)
	case "state-timeline":
		a.timeline(c, p, got.series, inner)
	case "bargauge":
		a.bars(c, p, got.series, inner)
	case "table":
		a.table(c, p, got.table, b.shrink(0, titleSpace, 0, 1))
	}
}

// text is a value in words, and its colour.
func (a *Answers) text(f *Field, v float64) (text, colour string) {
	if f.Unit == "dateTimeFromNow" {
		return ago(v, a.end), f.colour(v)
	}
	return f.text(v)
}
