package png_test

import (
	"bytes"
	"image"
	"image/color"
	stdpng "image/png"
	"testing"

	"github.com/ibscope/ibscope/fabric/layout"
	"github.com/ibscope/ibscope/format/drawing"
	"github.com/ibscope/ibscope/format/png"
)

func paint(t *testing.T, d *drawing.Drawing) image.Image {
	t.Helper()
	var b, again bytes.Buffer
	if err := png.Write(&b, d); err != nil {
		t.Fatal(err)
	}
	if err := png.Write(&again, d); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Errorf("the same drawing gives another image: %v", err)
	}
	picture, err := stdpng.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

func at(t *testing.T, i image.Image, x, y int, want color.NRGBA) {
	t.Helper()
	if got := color.NRGBAModel.Convert(i.At(x, y)).(color.NRGBA); got != want {
		t.Errorf("at %d, %d is %v, want %v", x, y, got, want)
	}
}

var (
	white = color.NRGBA{255, 255, 255, 255}
	red   = color.NRGBA{255, 0, 0, 255}
	blue  = color.NRGBA{0, 0, 255, 255}
)

// Shapes are where they should be, in their colours, two pixels for a unit.
func TestWrite(t *testing.T) {
	i := paint(t, &drawing.Drawing{
		Width: 200, Height: 100,
		Boxes: []drawing.Rect{{X: 10, Y: 10, W: 20, H: 20, Round: 8, Fill: "#ff0000"}},
		Lines: []drawing.Line{
			{Points: []layout.Point{{X: 0, Y: 50}, {X: 200, Y: 50}}, Stroke: "#0000ff", Width: 4, Opacity: 1},
			{Points: []layout.Point{{X: 0, Y: 70}, {X: 200, Y: 70}}, Stroke: "#0000ff", Width: 4, Opacity: 1, Dash: []float64{10, 10}},
			{Points: []layout.Point{{X: 50, Y: 40}, {X: 100, Y: 0}, {X: 150, Y: 40}}, Curved: true, Stroke: "#ff0000", Width: 4, Opacity: 1},
		},
	})
	if i.Bounds() != image.Rect(0, 0, 400, 200) {
		t.Errorf("the image is %v", i.Bounds())
	}
	at(t, i, 40, 40, red)
	at(t, i, 20, 20, white) // outside of the round corner
	at(t, i, 200, 40, red)  // the top of the curve
	at(t, i, 200, 100, blue)
	at(t, i, 10, 140, blue)
	at(t, i, 30, 140, white) // between dashes
}

// A text has ink where it is, and none elsewhere; a turned one goes up.
func TestText(t *testing.T) {
	text := drawing.Text{X: 50, Y: 50, Size: 20, Fill: "#000000", Value: "leaf7 節"}
	flat := inked(paint(t, &drawing.Drawing{Width: 160, Height: 100, Texts: []drawing.Text{text}}))
	text.Turned = true
	turned := inked(paint(t, &drawing.Drawing{Width: 160, Height: 100, Texts: []drawing.Text{text}}))
	if flat.Min.X < 98 || flat.Dx() < 80 || flat.Max.Y > 112 || flat.Dy() > 50 {
		t.Errorf("a flat text is at %v", flat)
	}
	if turned.Max.X > 112 || turned.Dy() < 80 || turned.Max.Y > 102 {
		t.Errorf("a turned text is at %v", turned)
	}
}

// inked is the rectangle around all that is not white.
func inked(i image.Image) (r image.Rectangle) {
	for y := range i.Bounds().Dy() {
		for x := range i.Bounds().Dx() {
			if color.NRGBAModel.Convert(i.At(x, y)) != white {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}

// A huge drawing becomes an image that can be opened.
func TestBounds(t *testing.T) {
	if i := paint(t, &drawing.Drawing{Width: 1e6, Height: 1000}); i.Bounds().Dx() > 16000 || i.Bounds().Dy() < 1 {
		t.Errorf("the image is %v", i.Bounds())
	}
}
