package drawing

import (
	"fmt"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/layout"
	"github.com/ibscope/ibscope/fabric/topology"
)

// Options are what a picture shows. The zero value is fine.
type Options struct {
	Title string // "" for "Fabric"
	// Name gives a node a name of its own, as a node name map does; false for none.
	Name func(*fabric.Node) (string, bool)
	// Errors, if there, colours links by the sum of what it gives for both ends,
	// false for a port whose counters are not known.
	Errors func(*fabric.Port) (uint64, bool)
	// Layout are the options of the layout.
	Layout layout.Options
}

// Drawing is a picture: shapes from the back to the front. All texts are escaped for
// terminals, not for any markup.
type Drawing struct {
	Width, Height float64
	Title         string
	Subtitle      string
	Rects         []Rect // frames, behind the lines
	Lines         []Line
	Boxes         []Rect // nodes, before them
	Texts         []Text // last
}

// Rect is a rectangle.
type Rect struct {
	X, Y, W, H float64
	Round      float64 // radius of the corners
	Fill       string  // "#rrggbb", "" for none
	Stroke     string
	Dashed     bool
	Tip        string // what it is, lines of text
}

// Line is a line, or a quadratic curve of three points.
type Line struct {
	Points  []layout.Point
	Curved  bool
	Stroke  string
	Width   float64
	Dash    []float64
	Opacity float64
	Tip     string
}

// Text is one line of text, at its base line.
type Text struct {
	X, Y   float64
	Size   float64
	Bold   bool
	Middle bool // X is the middle of it, else its beginning
	Turned bool // from the bottom to the top
	Fill   string
	Halo   bool // with a white border, to be read before lines
	Value  string
}

// Colours of what is not a link.
const (
	Ink, Faint, Paper = "#1f2933", "#52606d", "#ffffff"
	frameStroke       = "#c3ccd5"
	frameFill         = "#f7f9fb"
)

// New draws a fabric. The topology must be of the same fabric.
func New(f *fabric.Fabric, t *topology.Topology, o *Options) *Drawing {
	if o == nil {
		o = &Options{}
	}
	p := &painter{f: f, t: t, o: o, l: layout.Compute(f, t, &o.Layout)}
	p.d = &Drawing{Title: Label(o.Title), Subtitle: Subtitle(f, t)}
	if o.Title == "" {
		p.d.Title = "Fabric"
	}
	p.x, p.y = 0, headHeight
	p.d.Width = max(p.l.Width, minWidth)
	p.x = (p.d.Width - p.l.Width) / 2
	p.frames()
	p.links()
	p.nodes()
	p.head()
	p.d.Height = headHeight + p.l.Height + p.legend(headHeight+p.l.Height)
	return p.d
}

const headHeight, minWidth = 56, 760

// Subtitle says what is in a fabric, and when it was read.
func Subtitle(f *fabric.Fabric, t *topology.Topology) string {
	switches, adapters, aggregation, routers, links, degraded := 0, 0, 0, 0, 0, 0
	for range f.Switches() {
		switches++
	}
	for n := range f.CAs() {
		if t.Place(n).Role == topology.RoleAggregation {
			aggregation++
		} else {
			adapters++
		}
	}
	for range f.Routers() {
		routers++
	}
	for l := range f.Links() {
		links++
		if l.IsDegraded() {
			degraded++
		}
	}
	text := fmt.Sprintf("%s: %s, %s, %s", t.Kind, count(switches, "switch", "es"), count(adapters, "adapter", "s"), count(links, "link", "s"))
	if aggregation > 0 {
		text += ", " + count(aggregation, "aggregation node", "s")
	}
	if routers > 0 {
		text += ", " + count(routers, "router", "s")
	}
	if degraded > 0 {
		text += fmt.Sprintf(", %d degraded", degraded)
	}
	if len(f.Problems()) > 0 {
		text += ", " + count(len(f.Problems()), "problem", "s")
	}
	if at := f.Sweep().Started; !at.IsZero() {
		text += "; " + at.UTC().Format(time.RFC3339)
	}
	return text
}

func count(n int, what, many string) string {
	if n != 1 {
		what += many
	}
	return fmt.Sprintf("%d %s", n, what)
}
