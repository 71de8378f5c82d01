package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	c := &Chart{Title: "a < b", X: "place", Y: "value", At: []string{"one", "two", "three"}, Lines: []Line{
		{"gap & more", []float64{1, math.NaN(), 100}}, {"short", []float64{10}}, {"same end", []float64{3, 10, 100}},
	}}
	var out bytes.Buffer
	if err := c.Write(&out); err != nil {
		t.Fatal(err)
	}
	elements, texts := map[string]int{}, ""
	for d := xml.NewDecoder(&out); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			elements[token.Name.Local]++
		case xml.CharData:
			texts += string(token) + "|"
		}
	}
	if elements["circle"] != 6 { // one for each value that is there
		t.Errorf("%d dots", elements["circle"])
	}
	for _, want := range []string{"a < b|", "gap & more|", "|100|", "|three|"} {
		if !strings.Contains(texts, want) {
			t.Errorf("no text %q in %q", want, texts)
		}
	}
}

// Names at the ends of lines stay apart and inside.
func TestSpread(t *testing.T) {
	d := drawing{low: 0, high: 2, places: 1}
	ends := d.spread([]Line{{"a", []float64{1}}, {"b", []float64{1}}, {"c", []float64{100}}, {"d", []float64{100}}})
	for i, a := range ends {
		if a < top || a > top+height {
			t.Errorf("%v is outside", a)
		}
		for _, b := range ends[:i] {
			if math.Abs(a-b) < 14.9 {
				t.Errorf("%v and %v overlap", a, b)
			}
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	for _, values := range [][]float64{{0, 1}, {-1, 1}, nil, {math.NaN()}} {
		c := &Chart{At: []string{"a", "b"}, Lines: []Line{{"l", values}}}
		if err := c.Write(io.Discard); err == nil {
			t.Errorf("%v was drawn", values)
		}
	}
}
