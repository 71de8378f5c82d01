package png

import (
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"github.com/ibscope/ibscope/format/drawing"
)

// fonts are the two that drawings use, and what was read of them.
type fonts struct {
	regular, bold *sfnt.Font
	buffer        sfnt.Buffer
}

func loadFonts() (*fonts, error) {
	f := &fonts{}
	var err error
	if f.regular, err = sfnt.Parse(goregular.TTF); err != nil {
		return nil, err
	}
	f.bold, err = sfnt.Parse(gobold.TTF)
	return f, err
}

// slim makes the font, which is wider than those of browsers, fit into the boxes.
const slim = 0.92

// text paints the outlines of the characters, which works for any size and turned.
// Characters that the font does not have are boxes.
func (c *canvas) text(f *fonts, t *drawing.Text) error {
	face := f.regular
	if t.Bold {
		face = f.bold
	}
	size := t.Size * slim * c.scale
	if size < 1 {
		return nil // nobody could read it
	}
	outlines, width, err := f.outlines(face, t.Value, size)
	if err != nil {
		return err
	}
	start := 0.0
	if t.Middle {
		start = -width / 2
	}
	place := func(x, y float64) spot {
		x += start
		if t.Turned {
			x, y = y, -x
		}
		return spot{t.X*c.scale + x, t.Y*c.scale + y}
	}
	if t.Halo {
		for _, contour := range outlines {
			closed := make([]spot, 0, len(contour)+1)
			for _, p := range contour {
				closed = append(closed, place(p.x, p.y))
			}
			c.stroke(append(closed, closed[0]), 2.4*c.scale, nil, colourOf(drawing.Paper, 1))
		}
	}
	for _, contour := range outlines {
		for _, p := range contour {
			c.path = append(c.path, place(p.x, p.y))
		}
		c.closePath()
	}
	c.fill(colourOf(t.Fill, 1))
	return nil
}

// outlines are the contours of a line of text that begins at 0, 0, and its width.
func (f *fonts) outlines(face *sfnt.Font, text string, size float64) (list [][]spot, width float64, err error) {
	ppem := fixed.Int26_6(size * 64)
	for _, r := range text {
		glyph, err := face.GlyphIndex(&f.buffer, r)
		if err != nil {
			return nil, 0, err
		}
		segments, err := face.LoadGlyph(&f.buffer, glyph, ppem, nil)
		if err != nil {
			return nil, 0, err
		}
		list = append(list, contours(segments, width)...)
		advance, err := face.GlyphAdvance(&f.buffer, glyph, ppem, font.HintingNone)
		if err != nil {
			return nil, 0, err
		}
		width += float64(advance) / 64
	}
	return list, width, nil
}

// contours flattens the outline of a character.
func contours(segments sfnt.Segments, left float64) (list [][]spot) {
	at := func(p fixed.Point26_6) spot { return spot{left + float64(p.X)/64, float64(p.Y) / 64} }
	var now []spot
	curve := func(points ...spot) {
		const steps = 5
		from := now[len(now)-1]
		for i := 1; i <= steps; i++ {
			now = append(now, bezier(append([]spot{from}, points...), float64(i)/steps))
		}
	}
	for _, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if len(now) > 0 {
				list = append(list, now)
			}
			now = []spot{at(s.Args[0])}
		case sfnt.SegmentOpLineTo:
			now = append(now, at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			curve(at(s.Args[0]), at(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			curve(at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
		}
	}
	if len(now) > 0 {
		list = append(list, now)
	}
	return list
}

// bezier is a place on a curve of any degree.
func bezier(p []spot, t float64) spot {
	for len(p) > 1 {
		for i := range p[1:] {
			p[i] = along(p[i], p[i+1], t)
		}
		p = p[:len(p)-1]
	}
	return p[0]
}
