package web

import (
	"math"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/layout"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format/drawing"
)

// view is a layout as columns. Where a box or an edge has many of something, Starts
// say where its own begin in the list, with one more at the end.
type view struct {
	Version string  `json:"version"`
	Name    string  `json:"name"`
	Width   float64 `json:"w"`
	Height  float64 `json:"h"`
	Dense   bool    `json:"dense"`

	Rects     []float64 `json:"rects"` // of boxes: x, y, width, height
	Roles     []string  `json:"roles"`
	First     []string  `json:"first"`  // lines of text in the boxes
	Second    []string  `json:"second"` // "" for none
	Flags     []int     `json:"flags"`  // 1 the text is turned, 2 stands for many, 4 below a switch
	Nodes     []int     `json:"nodes"`
	NodeStart []int     `json:"nodeStart"`

	A         []int     `json:"a"` // of edges: boxes
	B         []int     `json:"b"`
	Curved    []int     `json:"curved"`
	Path      []float64 `json:"path"` // x, y, …
	PathStart []int     `json:"pathStart"`
	Links     []int     `json:"links"`
	LinkStart []int     `json:"linkStart"`

	Frames     []float64 `json:"frames"` // x, y, width, height
	FrameNames []string  `json:"frameNames"`
}

// Flags of boxes.
const (
	isTurned = 1 << iota
	isMany
	isBelow
)

// maxWhole is the number of nodes beyond which no view has a box of each.
const maxWhole = 30000

// plan is a layout of which a view is made when it is asked for.
type plan struct {
	layout   *layout.Layout
	topology *topology.Topology
	own      func(*fabric.Node) (string, bool)
	answer   answer
}

// plan lays the fabric out in each way that differs from the one before.
func (s *structure) plan(f *fabric.Fabric, t *topology.Topology, own func(*fabric.Node) (string, bool)) {
	s.Views = []string{}
	for _, way := range []struct {
		name     string
		collapse layout.Collapse
	}{{"Groups", layout.Pods}, {"Switches", layout.Hosts}, {"Nodes", layout.None}} {
		if way.collapse == layout.None && f.NumNodes() > maxWhole {
			continue
		}
		l := layout.Compute(f, t, &layout.Options{Collapse: way.collapse})
		if n := len(s.plans); n > 0 && len(s.plans[n-1].layout.Boxes) == len(l.Boxes) {
			s.plans, s.Views = s.plans[:n-1], s.Views[:n-1] // it had nothing collapsed
		}
		fold(l)
		s.plans, s.Views = append(s.plans, &plan{layout: l, topology: t, own: own}), append(s.Views, way.name)
	}
	s.Start = s.start(f.NumNodes())
}

// start is the view that one can read as a whole.
func (s *structure) start(nodes int) int {
	last := len(s.plans) - 1
	switch {
	case nodes > layout.PodsBeyond:
		return 0
	case nodes > layout.HostsBeyond:
		return max(0, last-1)
	}
	return max(0, last)
}

// answerView gives a view, which is made once; false if there is no such view.
func (s *structure) answerView(number int) (answer, bool, error) {
	if number < 0 || number >= len(s.plans) {
		return answer{}, false, nil
	}
	p := s.plans[number]
	if p.answer.data != nil {
		return p.answer, true, nil
	}
	err := p.answer.set(s.view(s.Views[number], p))
	return p.answer, true, err
}

func (s *structure) view(name string, p *plan) view {
	l := p.layout
	v := view{
		Version: s.Version, Name: name, Width: round(l.Width), Height: round(l.Height), Dense: l.Dense,
		Rects: []float64{}, Roles: []string{}, First: []string{}, Second: []string{}, Flags: []int{}, Nodes: []int{}, NodeStart: []int{0},
		A: []int{}, B: []int{}, Curved: []int{}, Path: []float64{}, PathStart: []int{0}, Links: []int{}, LinkStart: []int{0},
		Frames: []float64{}, FrameNames: []string{},
	}
	for i := range l.Boxes {
		b := &l.Boxes[i]
		v.box(b)
		first, second := drawing.Caption(l, p.topology, b, p.own)
		v.First, v.Second = append(v.First, first), append(v.Second, second)
	}
	for i := range l.Edges {
		v.edge(&l.Edges[i], s)
	}
	for i := range l.Frames {
		f := &l.Frames[i]
		v.Frames = append(v.Frames, round(f.X), round(f.Y), round(f.W), round(f.H))
		v.FrameNames = append(v.FrameNames, drawing.FrameCaption(f, p.topology))
	}
	return v
}

func (v *view) box(b *layout.Box) {
	v.Rects = append(v.Rects, round(b.X), round(b.Y), round(b.W), round(b.H))
	v.Roles = append(v.Roles, string(b.Role))
	flags := 0
	if b.Turned {
		flags |= isTurned
	}
	if b.Kind != layout.OneNode {
		flags |= isMany
	}
	if b.Below >= 0 {
		flags |= isBelow
	}
	v.Flags = append(v.Flags, flags)
	for _, n := range b.Nodes {
		v.Nodes = append(v.Nodes, n.Index())
	}
	v.NodeStart = append(v.NodeStart, len(v.Nodes))
}

func (v *view) edge(e *layout.Edge, s *structure) {
	v.A, v.B = append(v.A, e.A), append(v.B, e.B)
	curved := 0
	if e.Curved {
		curved = 1
	}
	v.Curved = append(v.Curved, curved)
	for _, p := range e.Path {
		v.Path = append(v.Path, round(p.X), round(p.Y))
	}
	v.PathStart = append(v.PathStart, len(v.Path))
	for _, l := range e.Links {
		v.Links = append(v.Links, s.byPort[endOf(l.A)])
	}
	v.LinkStart = append(v.LinkStart, len(v.Links))
}

// round keeps a tenth of a pixel.
func round(v float64) float64 { return math.Round(v*10) / 10 }
