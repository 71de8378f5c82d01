package page

import (
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/layout"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format/drawing"
	"github.com/ibscope/ibscope/ib"
)

// document is what the script reads. Lists stand for objects where there are many:
// it keeps pages small.
type document struct {
	Title    string      `json:"title"`
	Subtitle string      `json:"subtitle"`
	Source   string      `json:"source,omitempty"`
	Time     string      `json:"time,omitempty"`
	Nodes    []node      `json:"nodes"`
	Links    []link      `json:"links"`
	Styles   []style     `json:"styles"`
	Roles    []roleStyle `json:"roles"`
	Views    []view      `json:"views"`
	First    int         `json:"first"` // the view to begin with
}

type node struct {
	Name string `json:"n"`
	GUID string `json:"g"`
	LID  int    `json:"l,omitempty"`
	Role string `json:"r"`
	Type string `json:"t"`
	Tier int    `json:"i,omitempty"`
}

// link is a node and a port, the same of the other end, and the number of the style;
// the rate as text, and the errors of both ends where they are known.
type link struct {
	A      int       `json:"a"`
	APort  string    `json:"p"`
	B      int       `json:"b"`
	BPort  string    `json:"q"`
	Rate   string    `json:"w"`
	Errors [2]uint64 `json:"e,omitzero"`
}

type style struct {
	Name   string    `json:"name"`
	Colour string    `json:"colour"`
	Dash   []float64 `json:"dash,omitempty"`
	Rank   int       `json:"rank"`
}

type roleStyle struct {
	Name   string `json:"name"`
	Fill   string `json:"fill"`
	Stroke string `json:"stroke"`
}

// view is a layout.
type view struct {
	Name   string  `json:"name"`
	Width  float64 `json:"w"`
	Height float64 `json:"h"`
	Boxes  []box   `json:"boxes"`
	Edges  []edge  `json:"edges"`
	Frames []frame `json:"frames"`
}

type box struct {
	Place  [4]float64 `json:"p"` // x, y, width, height
	Nodes  []int      `json:"n"`
	Role   int        `json:"r"`
	First  string     `json:"f"`
	Second string     `json:"s,omitempty"`
	Turned bool       `json:"t,omitempty"`
	Many   bool       `json:"m,omitempty"`
}

type edge struct {
	A      int       `json:"a"`
	B      int       `json:"b"`
	Path   []float64 `json:"p"` // x, y, …
	Curved bool      `json:"c,omitempty"`
	Links  []int     `json:"l"`
	Style  int       `json:"s"`
	Width  float64   `json:"w"`
}

type frame struct {
	Place [4]float64 `json:"p"`
	Name  string     `json:"n"`
}

// maxWhole is the number of nodes beyond which a page has no view of all of them:
// the hosts are still found, in the box of their switch.
const maxWhole = 20000

// gatherer makes a document.
type gatherer struct {
	f     *fabric.Fabric
	t     *topology.Topology
	o     *drawing.Options
	d     *document
	style map[string]int
	role  map[topology.Role]int
	links map[[2]int]int // by node and port of the first end
}

func gather(f *fabric.Fabric, t *topology.Topology, o *drawing.Options) *document {
	g := &gatherer{f: f, t: t, o: o, style: map[string]int{}, role: map[topology.Role]int{}, links: map[[2]int]int{}}
	g.d = &document{Title: drawing.Label(o.Title), Subtitle: drawing.Subtitle(f, t), Source: drawing.Label(f.Sweep().Source)}
	if g.d.Title == "" {
		g.d.Title = "Fabric"
	}
	if at := f.Sweep().Started; !at.IsZero() {
		g.d.Time = at.UTC().Format(time.RFC3339)
	}
	g.nodes()
	g.allLinks()
	g.views()
	return g.d
}

func (g *gatherer) nodes() {
	g.d.Nodes = make([]node, 0, g.f.NumNodes())
	for n := range g.f.Nodes() {
		at := g.t.Place(n)
		g.d.Nodes = append(g.d.Nodes, node{
			Name: drawing.NameOf(n, g.o.Name), GUID: n.GUID().String(), LID: drawing.LIDOf(n),
			Role: string(at.Role), Type: typeName(n.Type()), Tier: at.Tier,
		})
	}
}

func typeName(t ib.NodeType) string {
	switch t {
	case ib.NodeSwitch:
		return "switch"
	case ib.NodeCA:
		return "channel adapter"
	case ib.NodeRouter:
		return "router"
	}
	return "unknown type"
}

func (g *gatherer) allLinks() {
	g.d.Links = []link{}
	for l := range g.f.Links() {
		item := link{
			A: l.A.Node().Index(), APort: drawing.PortOf(l.A), B: l.B.Node().Index(), BPort: drawing.PortOf(l.B), Rate: drawing.Rate(l),
		}
		if g.o.Errors != nil {
			item.Errors[0], _ = g.o.Errors(l.A)
			item.Errors[1], _ = g.o.Errors(l.B)
		}
		g.links[[2]int{item.A, l.A.Num()}] = len(g.d.Links)
		g.d.Links = append(g.d.Links, item)
	}
}

// views lays the fabric out in each way that differs from the one before.
func (g *gatherer) views() {
	for _, way := range []struct {
		name     string
		collapse layout.Collapse
	}{{"Groups", layout.Pods}, {"Switches", layout.Hosts}, {"All nodes", layout.None}} {
		if way.collapse == layout.None && g.f.NumNodes() > maxWhole && g.o.Layout.Collapse != layout.None {
			continue
		}
		l := layout.Compute(g.f, g.t, &layout.Options{Collapse: way.collapse})
		if n := len(g.d.Views); n > 0 && len(g.d.Views[n-1].Boxes) == len(l.Boxes) {
			g.d.Views = g.d.Views[:n-1] // it had nothing collapsed
		}
		g.d.Views = append(g.d.Views, g.view(way.name, l))
	}
	wanted := layout.Compute(g.f, g.t, &g.o.Layout)
	for i := range g.d.Views {
		if len(g.d.Views[i].Boxes) == len(wanted.Boxes) {
			g.d.First = i
		}
	}
}
