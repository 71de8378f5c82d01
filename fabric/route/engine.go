package route

import (
	"fmt"
	"sync/atomic"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Engine is a way to choose ways; the constants are names for command lines.
type Engine string

// The engines.
const (
	MinHop  Engine = "minhop" // shortest ways
	UpDown  Engine = "updn"   // up to a common ancestor, then down: no credit loops
	FatTree Engine = "ftree"  // up/down in a fat tree, and all its up links used alike
)

// ParseEngine reads the name of an engine.
func ParseEngine(name string) (Engine, error) {
	switch e := Engine(name); e {
	case MinHop, UpDown, FatTree:
		return e, nil
	}
	return "", &Error{Op: "engine", Detail: fmt.Sprintf("%q is not known; known are minhop, updn, ftree", name)}
}

// Options of New. The zero Options take everything from the fabric.
type Options struct {
	// Peer is where the cable at a port leads if packets cross it; nil is: where
	// the fabric says, if neither end is known to be physically down.
	Peer func(n *fabric.Node, num int) (peer *fabric.Node, peerNum int, ok bool)
	// LID is the base LID and the LMC of a port of a CA, of a router, or of port 0
	// of a switch; nil is: those that its PortInfo tells.
	LID func(n *fabric.Node, num int) (base ib.LID, lmc uint8)
	// Roots are the tops of up/down routing; none is: those farthest from the
	// adapters.
	Roots []*fabric.Node
}

func (o *Options) peer(n *fabric.Node, num int) (*fabric.Node, int, bool) {
	if o.Peer != nil {
		return o.Peer(n, num)
	}
	p := n.Port(num)
	if p == nil || p.Remote() == nil || !mayBeUp(p) || !mayBeUp(p.Remote()) {
		return nil, 0, false
	}
	return p.Remote().Node(), p.Remote().Num(), true
}

func mayBeUp(p *fabric.Port) bool {
	s := p.PhysState()
	return s == ib.PhysLinkUp || s == ib.PhysNoChange
}

func (o *Options) lid(n *fabric.Node, num int) (ib.LID, uint8) {
	if o.LID != nil {
		return o.LID(n, num)
	}
	if p := n.Port(num); p != nil {
		return p.LID(), p.LMC()
	}
	return 0, 0
}

// Suggest is the engine that the shape of a fabric suggests: FatTree for one,
// else MinHop.
func Suggest(f *fabric.Fabric, o *Options) Engine {
	if o == nil {
		o = &Options{}
	}
	g := newGraph(f, o)
	level, top := g.levels()
	if top > 0 && g.checkFatTree(level) == nil {
		return FatTree
	}
	return MinHop
}

// New prepares the tables of a fabric by an engine; nil Options are the zero
// Options. FatTree of a fabric that is none is an *Error.
func New(f *fabric.Fabric, e Engine, o *Options) (*Tables, error) {
	if o == nil {
		o = &Options{}
	}
	t := &Tables{engine: e, graph: newGraph(f, o)}
	var top int
	t.level, top = t.graph.levels()
	t.widths = t.graph.widths(t.level, top)
	switch e {
	case MinHop:
	case UpDown:
		t.order = t.graph.upDownOrder(t.level, o.Roots)
	case FatTree:
		if err := t.graph.checkFatTree(t.level); err != nil {
			return nil, err
		}
		t.order = t.graph.orderByLevel(t.level)
	default:
		return nil, &Error{Op: "engine", Detail: fmt.Sprintf("%q is not known; known are minhop, updn, ftree", string(e))}
	}
	t.vectors = make([]atomic.Pointer[[]uint8], len(t.graph.switches))
	return t, nil
}
