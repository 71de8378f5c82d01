package layout

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
)

// Collapse says what is drawn as one box.
type Collapse int

// The ways to collapse.
const (
	Auto  Collapse = iota // by the number of nodes: Hosts beyond HostsBeyond or where there are planes, Pods beyond PodsBeyond
	None                  // each node has a box, but for aggregation nodes
	Hosts                 // the hosts of a switch are one box
	Pods                  // so are pods, and groups of a dragonfly, with all that is in them
)

// The numbers of nodes beyond which Auto collapses.
const (
	HostsBeyond = 600
	PodsBeyond  = 1500
)

// Options are how to lay out. The zero value is fine.
type Options struct {
	Collapse Collapse
}

// Point is a place in the picture. Units are pixels of a screen; x grows to the
// right, y down.
type Point struct{ X, Y float64 }

// Layout is the places of everything in a picture whose top left corner is 0, 0.
type Layout struct {
	Width, Height float64
	Collapse      Collapse // what was done: None, Hosts or Pods
	Dense         bool     // boxes are too narrow for a text that is not turned
	Boxes         []Box
	Edges         []Edge
	Frames        []Frame

	box []int32 // by node index
}

// BoxOf is the number of the box that a node is in.
func (l *Layout) BoxOf(n *fabric.Node) int { return int(l.box[n.Index()]) }

// Kind is what a box stands for.
type Kind int

// The kinds of boxes.
const (
	OneNode    Kind = iota // one node, a switch with its aggregation nodes
	SomeHosts              // the hosts of a switch
	WholeGroup             // a pod or group, with its hosts
	SomeTier               // switches of a tier that lead to the same boxes
)

// Box is a rectangle for one node or several. Boxes do not overlap.
type Box struct {
	X, Y, W, H float64 // the top left corner and the size
	Kind       Kind
	Nodes      []*fabric.Node // the first is what the box is of
	Below      int            // of hosts: the box of their switch; else -1
	Role       topology.Role  // of the first node
	Tier       int
	Part       int
	Group      int
	Turned     bool // its text goes from the bottom to the top
	Inner      int  // links whose both ends are in it
}

// Center is the middle of the box.
func (b *Box) Center() Point { return Point{b.X + b.W/2, b.Y + b.H/2} }

// Edge is all links between two boxes.
type Edge struct {
	A, B   int // numbers of boxes, A < B
	Links  []fabric.Link
	Path   []Point // two or more
	Curved bool    // Path is two ends with a control point of a quadratic curve between them
}

// Frame is a rectangle around boxes that belong together.
type Frame struct {
	X, Y, W, H float64
	Kind       FrameKind
	Number     int // of the part, group, plane or rail
	Part       int
}

// FrameKind is what a frame is around.
type FrameKind string

// The kinds of frames.
const (
	FramePart  FrameKind = "part"
	FramePlane FrameKind = "plane"
	FramePod   FrameKind = "pod"   // of a fat tree
	FrameGroup FrameKind = "group" // of a dragonfly
	FrameRail  FrameKind = "rail"  // some of its leaves
	FrameAlone FrameKind = "alone" // nodes without a switch
)

// margin is around the whole.
const margin = 24

// Compute lays out a fabric. The topology must be of the same fabric. Time and
// memory grow with the number of nodes and links.
func Compute(f *fabric.Fabric, t *topology.Topology, o *Options) *Layout {
	if o == nil {
		o = &Options{}
	}
	p := newPlanner(f, t, o)
	whole := p.arrange()
	p.draw(whole)
	p.connect()
	p.l.crop()
	return p.l
}
