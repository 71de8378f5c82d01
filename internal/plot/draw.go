package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// grid draws the axes with what they say.
func (d *drawing) grid(c *Chart) {
	for decade := d.low; decade <= d.high; decade++ {
		v := math.Pow10(decade)
		d.add(`<path d="M%d %.1fh%d" stroke="#ddd"/>`, left, d.y(v), width)
		d.text(left-8, d.y(v)+4, `text-anchor="end"`, strconv.FormatFloat(v, 'f', -1, 64))
	}
	for i, name := range c.At {
		d.add(`<path d="M%.1f %dv5" stroke="#888"/>`, d.x(i), top+height)
		d.text(d.x(i), top+height+19, `text-anchor="middle"`, name)
	}
	d.add(`<path d="M%d %dv%dh%d" stroke="#888" fill="none"/>`, left, top, height, width)
	d.text(left+width/2, top+height+42, `text-anchor="middle"`, c.X)
	d.text(0, 0, fmt.Sprintf(`text-anchor="middle" transform="translate(16 %d) rotate(-90)"`, top+height/2), c.Y)
}

// line draws a line, a dot for each value, and its name at the end.
func (d *drawing) line(l *Line, colour string, end float64) {
	var path strings.Builder
	pen := "M"
	for i, v := range l.Values {
		if math.IsNaN(v) {
			pen = "M"
			continue
		}
		fmt.Fprintf(&path, "%s%.1f %.1f", pen, d.x(i), d.y(v))
		pen = "L"
	}
	d.add(`<path d="%s" stroke="%s" stroke-width="2" fill="none"/>`, path.String(), colour)
	for i, v := range l.Values {
		if !math.IsNaN(v) {
			d.add(`<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`, d.x(i), d.y(v), colour)
		}
	}
	d.text(left+width+4, end+4, fmt.Sprintf(`fill="%s"`, colour), l.Name)
}

// spread gives the height of each name: that of the line's end, but no two on top of
// each other.
func (d *drawing) spread(lines []Line) []float64 {
	const apart = 15
	ends, order := make([]float64, len(lines)), make([]int, len(lines))
	for i, l := range lines {
		order[i], ends[i] = i, top+height
		for _, v := range l.Values {
			if !math.IsNaN(v) {
				ends[i] = d.y(v)
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ends[a], ends[b]) })
	for i := 1; i < len(order); i++ {
		ends[order[i]] = max(ends[order[i]], ends[order[i-1]]+apart)
	}
	for limit, i := float64(top+height), len(order)-1; i >= 0; i-- {
		ends[order[i]] = min(ends[order[i]], limit)
		limit = ends[order[i]] - apart
	}
	return ends
}
