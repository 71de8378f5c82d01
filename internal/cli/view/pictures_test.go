package view_test

import (
	"bytes"
	"cmp"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// pictures are those of docs/web.md: the colours, and the steps to what they show; see
// pictures.mjs.
var pictures = []struct {
	name, colours string
	steps         []string
}{
	{"web-map", "light", nil},
	{"web-link", "dark", []string{"click|#attention section.degraded .kind"}},
	{"web-path", "light", []string{
		"click|#tool-path", "fill|#panel input[aria-label=From]|node0001", "press|#panel input[aria-label=From]|Enter",
		"fill|#panel input[aria-label=To]|node0180", "press|#panel input[aria-label=To]|Enter",
	}},
	{"web-links", "light", []string{"click|#tab-links", "fill|#lists .filter|leaf0* use>40", "click|#lists th.number button:text(\"Utilisation\")"}},
}

// The pictures of docs/web.md are there, and small. With -update they are made anew.
func TestPictures(t *testing.T) {
	const docs, most = "../../../docs", 150_000
	text, err := os.ReadFile(filepath.Join(docs, "web.md"))
	if err != nil {
		t.Fatal(err)
	}
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		for _, p := range pictures {
			url := start(t, "--scenario", filepath.Join(docs, "scenarios", "living.yaml"), "--refresh", "2s", "--interval", "2s")
			time.Sleep(50 * time.Second) // until all has happened that is to be seen
			folder, err := filepath.Abs(filepath.Join(docs, "images"))
			if err != nil {
				t.Fatal(err)
			}
			script(t, "", "pictures.mjs", append([]string{url, folder, p.name, p.colours}, p.steps...)...)
			shrink(t, filepath.Join(folder, p.name+".png"))
		}
	}
	for _, p := range pictures {
		info, err := os.Stat(filepath.Join(docs, "images", p.name+".png"))
		if err != nil || info.Size() > most || !bytes.Contains(text, []byte("images/"+p.name+".png")) {
			t.Errorf("%s: %v, or it is too large, or docs/web.md does not show it", p.name, err)
		}
	}
}

// shrink writes a picture with 256 colours: those that it has most of.
func shrink(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	full, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	small := image.NewPaletted(full.Bounds(), most(full, 256))
	draw.Draw(small, small.Bounds(), full, full.Bounds().Min, draw.Src)
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, small); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// most are the colours that a picture has most of, as far as they are not nearly the same.
func most(m image.Image, n int) (p color.Palette) {
	count, of := map[[3]uint32]int{}, map[[3]uint32]color.Color{}
	for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y++ {
		for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			key := [3]uint32{r >> 11, g >> 11, b >> 11}
			if count[key]++; count[key] == 1 {
				of[key] = m.At(x, y)
			}
		}
	}
	keys := slices.SortedFunc(maps.Keys(count), func(a, b [3]uint32) int {
		return cmp.Or(count[b]-count[a], slices.Compare(a[:], b[:]))
	})
	for _, key := range keys[:min(n, len(keys))] {
		p = append(p, of[key])
	}
	return p
}
