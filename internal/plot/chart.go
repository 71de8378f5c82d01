// Package plot draws line charts as SVG, for the documents of this project.
package plot

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// Chart is a chart of lines over a few named places, its vertical axis logarithmic.
type Chart struct {
	Title string
	X, Y  string   // what the axes say
	At    []string // the places, from left to right
	Lines []Line
}

// Line is one line of a chart.
type Line struct {
	Name   string
	Values []float64 // one for each place; NaN, or what is missing at the end, leaves a gap
}

// The drawing in pixels: a plot of width × height, and what is around it.
const (
	width, height = 560, 300
	left, top     = 70, 44
	right, bottom = 130, 56
)

// colours are of about the same darkness, and told apart by who sees few colours.
var colours = [...]string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7f7f00", "#56b4e9"}

// Write writes the chart as SVG. Values must be above 0.
func (c *Chart) Write(w io.Writer) error {
	low, high, err := c.decades()
	if err != nil {
		return err
	}
	d := drawing{low: low, high: high, places: len(c.At)}
	d.add(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="sans-serif" font-size="12" fill="#222">`,
		left+width+right, top+height+bottom)
	d.add(`<rect width="100%%" height="100%%" fill="#fff"/>`)
	d.text(left, 22, `font-size="15"`, c.Title)
	d.grid(c)
	ends := d.spread(c.Lines)
	for i := range c.Lines {
		d.line(&c.Lines[i], colours[i%len(colours)], ends[i])
	}
	d.add(`</svg>`)
	_, err = io.WriteString(w, d.String())
	return err
}

// decades are the powers of ten around all values.
func (c *Chart) decades() (low, high int, err error) {
	least, most := math.Inf(1), 0.0
	for _, l := range c.Lines {
		for _, v := range l.Values {
			if v <= 0 {
				return 0, 0, fmt.Errorf("plot: %s has the value %v, which has no logarithm", l.Name, v)
			}
			if !math.IsNaN(v) {
				least, most = min(least, v), max(most, v)
			}
		}
	}
	if most == 0 || len(c.At) < 2 {
		return 0, 0, errors.New("plot: a chart needs a value and two places")
	}
	low, high = int(math.Floor(math.Log10(least))), int(math.Ceil(math.Log10(most)))
	return low, max(high, low+1), nil
}

// drawing collects elements.
type drawing struct {
	strings.Builder
	low, high int // decades
	places    int
}

func (d *drawing) add(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func (d *drawing) text(x, y float64, attributes, s string) {
	d.add(`<text x="%.1f" y="%.1f" %s>%s</text>`, x, y, attributes, escaper.Replace(s))
}

// x is where the place with that number is.
func (d *drawing) x(place int) float64 {
	return left + (float64(place)+0.5)*width/float64(d.places)
}

func (d *drawing) y(v float64) float64 {
	return top + height*(1-(math.Log10(v)-float64(d.low))/float64(d.high-d.low))
}
