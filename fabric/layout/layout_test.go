package layout_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/layout"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/sim/gen"
)

// shapes are fabrics of all kinds.
var shapes = []string{
	"star?hosts=4", "line?switches=9", "ring?switches=12",
	"fattree?levels=2&radix=8", "fattree?levels=3&radix=8", "fattree?levels=3&radix=16",
	"dragonfly+", "dragonfly", "torus?dims=4x4", "torus?dims=4x4x3", "hyperx?shape=4x4", "hypercube?dims=4",
	"gpupod", "xdrplanes", "subnets", "director",
}

func parse(t testing.TB, text string) (*fabric.Fabric, *topology.Topology) {
	t.Helper()
	f, err := gen.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return f, topology.Classify(f, &topology.Options{})
}

// Each node is in one box, boxes do not overlap and are inside the picture, each
// link is in one edge or inside a box.
func TestCompute(t *testing.T) {
	for _, shape := range shapes {
		t.Run(shape, func(t *testing.T) {
			f, top := parse(t, shape)
			for _, collapse := range []layout.Collapse{layout.Auto, layout.None, layout.Hosts, layout.Pods} {
				l := layout.Compute(f, top, &layout.Options{Collapse: collapse})
				checkNodes(t, f, l)
				checkOverlaps(t, l)
				checkEdges(t, f, l)
				if again := layout.Compute(f, top, &layout.Options{Collapse: collapse}); !cmp.Equal(places(l), places(again)) {
					t.Errorf("%d: another place in another run", collapse)
				}
			}
		})
	}
}

func checkNodes(t *testing.T, f *fabric.Fabric, l *layout.Layout) {
	t.Helper()
	seen := map[*fabric.Node]bool{}
	for i := range l.Boxes {
		for _, n := range l.Boxes[i].Nodes {
			if seen[n] || l.BoxOf(n) != i {
				t.Errorf("%s is in two boxes", n.GUID())
			}
			seen[n] = true
		}
	}
	if len(seen) != f.NumNodes() {
		t.Errorf("%d of %d nodes have a box", len(seen), f.NumNodes())
	}
}

func checkOverlaps(t *testing.T, l *layout.Layout) {
	t.Helper()
	order := make([]*layout.Box, len(l.Boxes))
	for i := range l.Boxes {
		order[i] = &l.Boxes[i]
		b := order[i]
		if b.X < 0 || b.Y < 0 || b.X+b.W > l.Width || b.Y+b.H > l.Height || b.W <= 0 || b.H <= 0 || math.IsNaN(b.X+b.Y) {
			t.Fatalf("box %d is outside of %v × %v: %+v", i, l.Width, l.Height, b)
		}
	}
	slices.SortStableFunc(order, func(a, b *layout.Box) int { return int(math.Copysign(1, a.X-b.X)) })
	for i, a := range order {
		for _, b := range order[i+1:] {
			if b.X >= a.X+a.W {
				break
			}
			if a.Y < b.Y+b.H && b.Y < a.Y+a.H {
				t.Fatalf("%q and %q overlap: %.1f %.1f, %.1f %.1f", a.Nodes[0].Description(), b.Nodes[0].Description(), a.X, a.Y, b.X, b.Y)
			}
		}
	}
}

func checkEdges(t *testing.T, f *fabric.Fabric, l *layout.Layout) {
	t.Helper()
	links, want := 0, 0
	for range f.Links() {
		want++
	}
	for i := range l.Boxes {
		links += l.Boxes[i].Inner
	}
	for i := range l.Edges {
		e := &l.Edges[i]
		links += len(e.Links)
		if e.A >= e.B || len(e.Path) < 2 || e.Curved && len(e.Path) != 3 {
			t.Fatalf("edge %d: %+v", i, e)
		}
	}
	if links != want {
		t.Errorf("%d of %d links are drawn", links, want)
	}
}

// places is what is to be the same in each run.
func places(l *layout.Layout) any {
	type box struct {
		X, Y, W, H float64
		GUID       string
	}
	var all []any
	for i := range l.Boxes {
		b := &l.Boxes[i]
		all = append(all, box{b.X, b.Y, b.W, b.H, b.Nodes[0].GUID().String()})
	}
	for i := range l.Edges {
		all = append(all, l.Edges[i].Path)
	}
	return append(all, l.Frames)
}

// Tiers are above each other, hosts below their switch.
func TestTiers(t *testing.T) {
	f, top := parse(t, "fattree?levels=3&radix=8")
	l := layout.Compute(f, top, nil)
	highest := map[int]float64{}
	for i := range l.Boxes {
		b := &l.Boxes[i]
		if b.Below >= 0 {
			if b.Y <= l.Boxes[b.Below].Y {
				t.Errorf("host %q is not below its switch", b.Nodes[0].Description())
			}
			continue
		}
		if y, ok := highest[b.Tier]; ok && y != b.Y {
			t.Errorf("%q is not in the row of its tier", b.Nodes[0].Description())
		}
		highest[b.Tier] = b.Y
	}
	if !(highest[3] < highest[2] && highest[2] < highest[1]) {
		t.Errorf("tiers at %v", highest)
	}
}

// What is collapsed depends on the size.
func TestCollapse(t *testing.T) {
	for _, test := range []struct {
		shape    string
		want     layout.Collapse
		boxes    int
		frames   layout.FrameKind
		noFrames bool
	}{
		{"fattree?levels=2&radix=8", layout.None, 44, "", true},
		{"fattree?levels=3&radix=16", layout.Hosts, 0, layout.FramePod, false},
		{"fattree?levels=3&radix=24", layout.Pods, 25, "", true},
	} {
		f, top := parse(t, test.shape)
		l := layout.Compute(f, top, nil)
		if l.Collapse != test.want || test.boxes > 0 && len(l.Boxes) != test.boxes {
			t.Errorf("%s, %d nodes: %v, %d boxes, want %v, %d", test.shape, f.NumNodes(), l.Collapse, len(l.Boxes), test.want, test.boxes)
		}
		if (len(l.Frames) == 0) != test.noFrames || !test.noFrames && l.Frames[0].Kind != test.frames {
			t.Errorf("%s: frames %v", test.shape, l.Frames)
		}
	}
}

// Rails and planes have frames.
func TestFrames(t *testing.T) {
	for shape, want := range map[string]layout.FrameKind{
		"gpupod": layout.FrameRail, "xdrplanes": layout.FramePlane, "dragonfly": layout.FrameGroup,
		"dragonfly+": layout.FrameGroup,
	} {
		f, top := parse(t, shape)
		l := layout.Compute(f, top, nil)
		if !slices.ContainsFunc(l.Frames, func(f layout.Frame) bool { return f.Kind == want }) {
			t.Errorf("%s: no frame of a %s in %v", shape, want, l.Frames)
		}
	}
}

// An empty fabric has an empty picture.
func TestEmpty(t *testing.T) {
	f := fabric.NewBuilder().Build()
	if l := layout.Compute(f, topology.Classify(f, &topology.Options{}), nil); len(l.Boxes) != 0 || !(l.Width > 0) {
		t.Errorf("%+v", l)
	}
}

func BenchmarkCompute(b *testing.B) {
	for _, shape := range []string{"fattree?levels=3&radix=16&hosts=1024", "fattree?levels=3&radix=64"} {
		b.Run(strings.ReplaceAll(shape, "&", ","), func(b *testing.B) {
			f, top := parse(b, shape)
			for b.Loop() {
				layout.Compute(f, top, nil)
			}
		})
	}
}
