package svg_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/fabric/layout"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format/drawing"
	"github.com/ibscope/ibscope/format/svg"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/sim/gen"
)

// Any text is text, and the numbers of a drawing arrive.
func TestWrite(t *testing.T) {
	const evil = `</text><script>"'&`
	d := &drawing.Drawing{
		Width: 100, Height: 50, Title: evil,
		Rects: []drawing.Rect{{X: 1.25, Y: 2, W: 3, H: 4, Stroke: "#000000", Dashed: true}},
		Lines: []drawing.Line{
			{Points: []layout.Point{{X: 1, Y: 2}, {X: 3.333, Y: 4}, {X: 5, Y: 6}}, Curved: true, Stroke: "#ff0000", Width: 1.5, Dash: []float64{7, 4}, Opacity: 0.5, Tip: evil},
			{Points: []layout.Point{{X: 1, Y: 2}, {X: 3, Y: 4}, {X: 5, Y: 6}}, Stroke: "#ff0000", Width: 1, Opacity: 1},
		},
		Texts: []drawing.Text{{X: 1, Y: 2, Size: 10, Turned: true, Fill: "#000000", Value: evil}},
	}
	var b bytes.Buffer
	if err := svg.Write(&b, d); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<rect x="1.25" y="2" width="3" height="4" rx="0" fill="none" stroke="#000000" stroke-dasharray="4 3"/>`,
		`<path d="M1 2Q3.33 4 5 6" stroke="#ff0000" stroke-width="1.5" stroke-opacity="0.5" stroke-dasharray="7 4"><title>`,
		`<path d="M1 2L3 4L5 6" stroke="#ff0000" stroke-width="1"/>`, `<text transform="translate(1 2) rotate(-90)"`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, &b)
		}
	}
	if elements, text := parse(t, b.Bytes()); elements["script"] != 0 || strings.Count(text, evil) != 3 {
		t.Errorf("elements %v, text %q", elements, text)
	}
}

// parse counts the elements of a document, and gives all its text.
func parse(t *testing.T, data []byte) (map[string]int, string) {
	t.Helper()
	elements, text := map[string]int{}, ""
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return elements, text
		} else if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			elements[token.Name.Local]++
		case xml.CharData:
			text += string(token)
		}
	}
}

// TestExample draws the picture of docs/draw.md.
func TestExample(t *testing.T) {
	f, err := gen.Parse("fattree?levels=2&radix=8&hosts=24")
	if err != nil {
		t.Fatal(err)
	}
	top := topology.Classify(f, &topology.Options{})
	var b, again bytes.Buffer
	for _, w := range []io.Writer{&b, &again} {
		if err := svg.Write(w, drawing.New(f, top, &drawing.Options{Title: "A fat tree of 24 hosts"})); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("the same fabric gives another picture")
	}
	testenv.Golden(t, "../../../docs/draw.svg", b.Bytes())
}

// Errors of the writer come back.
func TestWriteError(t *testing.T) {
	if err := svg.Write(full{}, &drawing.Drawing{}); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("got %v", err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
