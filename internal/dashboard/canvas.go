package dashboard

import (
	"fmt"
	"strconv"
	"strings"
)

// canvas collects the elements of a picture.
type canvas struct{ strings.Builder }

// box is a rectangle in pixels.
type box struct{ x, y, w, h float64 }

// shrink leaves something out at each side.
func (b box) shrink(left, top, right, bottom float64) box {
	return box{b.x + left, b.y + top, max(b.w-left-right, 0), max(b.h-top-bottom, 0)}
}

func (c *canvas) add(format string, args ...any) { fmt.Fprintf(c, format+"\n", args...) }

// px is a number of pixels, as short as it can be said.
func px(v float64) string {
	s := strconv.FormatFloat(v, 'f', 1, 64)
	return strings.TrimSuffix(s, ".0")
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// font is how a text looks.
type font struct {
	size   float64
	colour string
	anchor string // "middle", "end" or "" for the start
	bold   bool
}

// text writes a text; y is its base line.
func (c *canvas) text(x, y float64, f font, s string) {
	if s == "" {
		return
	}
	c.WriteString(`<text x="` + px(x) + `" y="` + px(y) + `" font-size="` + px(f.size) + `" fill="` + f.colour + `"`)
	if f.anchor != "" {
		c.WriteString(` text-anchor="` + f.anchor + `"`)
	}
	if f.bold {
		c.WriteString(` font-weight="bold"`)
	}
	c.WriteString(">" + escaper.Replace(s) + "</text>\n")
}

// rect fills a rectangle; more are further attributes.
func (c *canvas) rect(b box, fill, more string) {
	c.add(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s"%s/>`, px(b.x), px(b.y), px(b.w), px(b.h), fill, more)
}

func (c *canvas) line(x1, y1, x2, y2 float64, colour, more string) {
	c.add(`<path d="M%s %sL%s %s" stroke="%s"%s/>`, px(x1), px(y1), px(x2), px(y2), colour, more)
}

// trail writes a path of straight lines in few letters: steps in tenths of a pixel from
// where it was, and none where three points are on a line.
type trail struct {
	strings.Builder
	x, y   int // tenths of a pixel
	dx, dy int // what has not been written
	pen    bool
}

func tenths(v float64) int { return int(v*10 + 0.5) }

func (t *trail) move(x, y float64) {
	t.flush()
	t.x, t.y = tenths(x), tenths(y)
	fmt.Fprintf(t, "M%d %d", t.x, t.y)
}

func (t *trail) to(x, y float64) {
	dx, dy := tenths(x)-t.x, tenths(y)-t.y
	if t.pen && (t.dx*dy != t.dy*dx || t.dx*dx < 0) {
		t.flush()
	}
	t.dx, t.dy, t.pen = t.dx+dx, t.dy+dy, true
	t.x, t.y = t.x+dx, t.y+dy
}

func (t *trail) flush() {
	if t.pen && (t.dx != 0 || t.dy != 0) {
		if t.dy == 0 {
			fmt.Fprintf(t, "h%d", t.dx)
		} else if t.dx == 0 {
			fmt.Fprintf(t, "v%d", t.dy)
		} else if t.dy < 0 {
			fmt.Fprintf(t, "l%d%d", t.dx, t.dy)
		} else {
			fmt.Fprintf(t, "l%d %d", t.dx, t.dy)
		}
	}
	t.dx, t.dy, t.pen = 0, 0, false
}

// path is what was drawn, in tenths of a pixel.
func (t *trail) path() string {
	t.flush()
	return t.String()
}
