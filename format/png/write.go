package png

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"strconv"

	"golang.org/x/image/vector"

	"github.com/ibscope/ibscope/format/drawing"
)

// Bounds of the image in pixels. Within them it has two for each unit.
const (
	perUnit   = 2
	maxSide   = 16000
	maxPixels = 48e6
)

// Error is a picture that cannot be painted.
type Error struct {
	Op  string
	Err error
}

func (e *Error) Error() string { return "png: " + e.Op + ": " + e.Err.Error() }

// Unwrap gives the cause, for errors.Is.
func (e *Error) Unwrap() error { return e.Err }

// Write paints a drawing. Errors are those of the writer.
func Write(w io.Writer, d *drawing.Drawing) error {
	scale := scaleOf(d)
	bounds := image.Rect(0, 0, int(math.Ceil(d.Width*scale)), int(math.Ceil(d.Height*scale)))
	c := &canvas{image: image.NewRGBA(bounds), scale: scale}
	draw.Draw(c.image, bounds, image.White, image.Point{}, draw.Src)
	fonts, err := loadFonts()
	if err != nil {
		return &Error{"font", err}
	}
	for i := range d.Rects {
		c.rect(&d.Rects[i])
	}
	for i := range d.Lines {
		c.line(&d.Lines[i])
	}
	for i := range d.Boxes {
		c.rect(&d.Boxes[i])
	}
	for i := range d.Texts {
		if err := c.text(fonts, &d.Texts[i]); err != nil {
			return &Error{"text", err}
		}
	}
	return png.Encode(w, c.image)
}

// scaleOf is how many pixels a unit has.
func scaleOf(d *drawing.Drawing) float64 {
	return min(perUnit, maxSide/max(d.Width, d.Height, 1), math.Sqrt(maxPixels/max(d.Width*d.Height, 1)))
}

// canvas is an image on which is painted in units of the drawing.
type canvas struct {
	image *image.RGBA
	scale float64
	path  []spot // of the shape that is painted, in pixels
	ends  []int  // of its contours

	rasterizer vector.Rasterizer
}

type spot struct{ x, y float64 }

// colourOf reads "#rrggbb", with an opacity of 0…1.
func colourOf(text string, opacity float64) color.NRGBA {
	n, err := strconv.ParseUint(text[min(1, len(text)):], 16, 24)
	if err != nil {
		panic(fmt.Sprintf("png: colour %q", text)) // colours are constants of package drawing
	}
	return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), uint8(math.Round(opacity * 255))}
}

// closePath ends a contour.
func (c *canvas) closePath() { c.ends = append(c.ends, len(c.path)) }

// fill paints the inside of the contours, and forgets them. Only what is within the
// image is painted.
func (c *canvas) fill(colour color.NRGBA) {
	defer func() { c.path, c.ends = c.path[:0], c.ends[:0] }()
	if len(c.path) == 0 {
		return
	}
	low, high := c.path[0], c.path[0]
	for _, p := range c.path {
		low, high = spot{min(low.x, p.x), min(low.y, p.y)}, spot{max(high.x, p.x), max(high.y, p.y)}
	}
	area := image.Rect(int(math.Floor(low.x)), int(math.Floor(low.y)), int(math.Ceil(high.x))+1, int(math.Ceil(high.y))+1)
	if area = area.Intersect(c.image.Bounds()); area.Empty() {
		return
	}
	r := &c.rasterizer
	r.Reset(area.Dx(), area.Dy())
	from := 0
	for _, end := range c.ends {
		for i, p := range c.path[from:end] {
			x, y := float32(p.x-float64(area.Min.X)), float32(p.y-float64(area.Min.Y))
			if i == 0 {
				r.MoveTo(x, y)
			} else {
				r.LineTo(x, y)
			}
		}
		r.ClosePath()
		from = end
	}
	r.Draw(c.image, area, image.NewUniform(colour), image.Point{})
}
