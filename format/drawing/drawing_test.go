package drawing_test

import (
	"strings"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/layout"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format/drawing"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim/gen"
)

// pair is two switches with these active and supported widths, joined by two cables.
func pair(active, supported ib.LinkWidth, state ib.PortState) *fabric.Fabric {
	b := fabric.NewBuilder()
	var nodes []*fabric.Node
	for i, name := range []string{"MF0;left:MQM8700/U1", "MF0;core:CS8500/L03/U2"} {
		info := smp.NodeInfo{NodeType: ib.NodeSwitch, NumPorts: 2, NodeGUID: ib.GUID(i + 1), PortGUID: ib.GUID(i + 1)}
		var raw, desc [mad.DataSize]byte
		info.Encode(&raw)
		copy(desc[:], name)
		n := b.AddNode(&raw)
		b.SetDescription(n, &desc)
		for port := 1; port <= 2; port++ {
			p := smp.PortInfo{
				LinkWidthActive: active, LinkWidthSupported: supported, LinkSpeedActive: 4, LinkSpeedSupported: 4, State: state,
			}
			var raw [mad.DataSize]byte
			p.Encode(&raw)
			b.SetPortInfo(b.Port(n, port), &raw)
		}
		nodes = append(nodes, n)
	}
	b.Link(b.Port(nodes[0], 1), b.Port(nodes[1], 1))
	b.Link(b.Port(nodes[0], 2), b.Port(nodes[1], 2))
	return b.Build()
}

func draw(f *fabric.Fabric, o *drawing.Options) *drawing.Drawing {
	return drawing.New(f, topology.Classify(f, &topology.Options{}), o)
}

// What links are like is seen, told by the tooltip, and explained by the legend.
func TestLinks(t *testing.T) {
	one := func(*fabric.Port) (uint64, bool) { return 60, true }
	for _, test := range []struct {
		name      string
		f         *fabric.Fabric
		errors    func(*fabric.Port) (uint64, bool)
		colour    string
		dashed    bool
		tip, word string
	}{
		{"good", pair(ib.Width4x, ib.Width4x, ib.PortActive), nil, "#e69f00", false, "4x QDR, 32 Gb/s", "QDR"},
		{"degraded", pair(ib.Width1x, ib.Width1x|ib.Width4x, ib.PortActive), nil, drawing.Degraded, true, "1x QDR, 8 Gb/s, degraded from 4x QDR", "degraded"},
		{"down", pair(ib.Width4x, ib.Width4x, ib.PortDown), nil, drawing.Down, true, "not active", "not active"},
		{"errors", pair(ib.Width4x, ib.Width4x, ib.PortActive), one, "#d55e00", false, "4x QDR", "100 … 9,999"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := draw(test.f, &drawing.Options{Errors: test.errors})
			line := d.Lines[0]
			if line.Stroke != test.colour || (len(line.Dash) > 0) != test.dashed {
				t.Errorf("%s, dashes %v", line.Stroke, line.Dash)
			}
			if strings.Count(line.Tip, test.tip) != 2 || !strings.Contains(line.Tip, "MF0;left:MQM8700/U1 port 1 – ") {
				t.Errorf("the tip is %q", line.Tip)
			}
			all := texts(d)
			for _, want := range []string{"|×2|", "|left|", "|core L03/U2|", "|" + test.word + "|"} {
				if !strings.Contains(all, want) {
					t.Errorf("no text %q in %q", want, all)
				}
			}
		})
	}
}

func texts(d *drawing.Drawing) string {
	all := "|"
	for _, t := range d.Texts {
		all += t.Value + "|"
	}
	return all
}

// Everything is inside the picture.
func TestInside(t *testing.T) {
	for _, shape := range []string{"fattree?levels=2&radix=8", "torus?dims=6x4", "dragonfly", "ring?switches=9", "star"} {
		f, err := gen.Parse(shape)
		if err != nil {
			t.Fatal(err)
		}
		d := draw(f, nil)
		for _, r := range append(d.Rects, d.Boxes...) {
			if r.X < 0 || r.Y < 0 || r.X+r.W > d.Width || r.Y+r.H > d.Height {
				t.Errorf("%s: %+v is outside of %v × %v", shape, r, d.Width, d.Height)
			}
		}
		for _, text := range d.Texts {
			if text.X < 0 || text.X > d.Width || text.Y < 0 || text.Y > d.Height {
				t.Errorf("%s: %+v is outside", shape, text)
			}
		}
	}
}

// What collapses is counted.
func TestCollapsed(t *testing.T) {
	f, err := gen.Parse("fattree?levels=3&radix=8")
	if err != nil {
		t.Fatal(err)
	}
	d := draw(f, &drawing.Options{Title: "Hall\x1b[1m 2", Layout: layout.Options{Collapse: layout.Pods}})
	for _, want := range []string{"|pod 1|", "|8 sw, 16 CA|", `|Hall\x1b[1m 2|`} {
		if all := texts(d); !strings.Contains(all, want) {
			t.Errorf("no text %q in %q", want, all)
		}
	}
	if !strings.HasPrefix(d.Subtitle, "fat-tree: 80 switches, 128 adapters, 384 links") {
		t.Errorf("the subtitle is %q", d.Subtitle)
	}
}

func TestShorten(t *testing.T) {
	for _, test := range []struct {
		in   string
		n    int
		want string
	}{{"leaf1", 5, "leaf1"}, {"rack12-leaf03", 9, "rac…eaf03"}, {"größe", 3, "grö"}, {"abcdef", 4, "a…ef"}, {"", 0, ""}, {"a", 0, ""}} {
		if got := drawing.Shorten(test.in, test.n); got != test.want {
			t.Errorf("Shorten(%q, %d) = %q, want %q", test.in, test.n, got, test.want)
		}
	}
}

// Hardware without a name is told apart by its GUID; aggregation nodes are no adapters.
func TestUnnamed(t *testing.T) {
	f, err := gen.Parse("gpupod")
	if err != nil {
		t.Fatal(err)
	}
	if d := draw(f, nil); !strings.Contains(d.Subtitle, " 256 adapters,") || !strings.Contains(d.Subtitle, ", 12 aggregation nodes") {
		t.Errorf("the subtitle is %q", d.Subtitle)
	}
	unnamed := func(*fabric.Node) (string, bool) { return "Quantum Mellanox Technologies", true }
	d := draw(pair(ib.Width4x, ib.Width4x, ib.PortActive), &drawing.Options{Name: unnamed})
	if all := texts(d); !strings.Contains(all, "0001|") || !strings.Contains(all, "0002|") || strings.Contains(all, "Quantum") {
		t.Errorf("no GUIDs in %q", all)
	}
}
