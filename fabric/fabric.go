package fabric

import (
	"iter"

	"github.com/ibscope/ibscope/ib"
)

// Fabric is a graph of nodes and links. See Builder for how it comes to be.
type Fabric struct {
	nodes      []*Node // in canonical order, see Nodes
	byGUID     map[ib.GUID]*Node
	byPortGUID map[ib.GUID]*Port
	byLID      []*Port // index is the LID, as far as LIDs are in use
	start      *Port
	chassis    []*Chassis
	problems   []Problem
	sweep      Sweep
}

// Nodes yields all nodes in canonical order: the order in which a sweep with
// one request in flight would have met them, which does not depend on the order
// of replies. Fabrics read from a file have the order of the file's sweep.
func (f *Fabric) Nodes() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for _, n := range f.nodes {
			if !yield(n) {
				return
			}
		}
	}
}

// NodesOf yields the nodes of one type, in canonical order.
func (f *Fabric) NodesOf(t ib.NodeType) iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for _, n := range f.nodes {
			if n.Type() == t && !yield(n) {
				return
			}
		}
	}
}

// Switches yields the switches in canonical order.
func (f *Fabric) Switches() iter.Seq[*Node] { return f.NodesOf(ib.NodeSwitch) }

// CAs yields the channel adapters in canonical order.
func (f *Fabric) CAs() iter.Seq[*Node] { return f.NodesOf(ib.NodeCA) }

// Routers yields the routers in canonical order.
func (f *Fabric) Routers() iter.Seq[*Node] { return f.NodesOf(ib.NodeRouter) }

// NumNodes is the number of nodes.
func (f *Fabric) NumNodes() int { return len(f.nodes) }

// Ports yields the known ports of all nodes, node by node, in ascending port
// number, port 0 of switches included.
func (f *Fabric) Ports() iter.Seq[*Port] {
	return func(yield func(*Port) bool) {
		for _, n := range f.nodes {
			for p := range n.Ports() {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// NodeByGUID finds a node. Where several nodes claim the GUID it is the first
// in canonical order; Problems names the others.
func (f *Fabric) NodeByGUID(g ib.GUID) (*Node, bool) {
	n, ok := f.byGUID[g]
	return n, ok
}

// PortByGUID finds a port by its port GUID. A switch has one port GUID, which
// finds its port 0 (or its lowest known port).
func (f *Fabric) PortByGUID(g ib.GUID) (*Port, bool) {
	p, ok := f.byPortGUID[g]
	return p, ok
}

// PortByLID finds the port that owns a LID: its base LID or any other of its
// 2^LMC LIDs. On a switch it is port 0.
func (f *Fabric) PortByLID(l ib.LID) (*Port, bool) {
	if int(l) >= len(f.byLID) || f.byLID[l] == nil {
		return nil, false
	}
	return f.byLID[l], true
}

// NodeByPath follows a directed route from the start port's node.
func (f *Fabric) NodeByPath(path ib.DRPath) (*Node, bool) {
	if f.start == nil {
		return nil, false
	}
	n := f.start.node
	for i := range path.Len() {
		p := n.Port(path.Hop(i))
		if p == nil || p.remote == nil {
			return nil, false
		}
		n = p.remote.node
	}
	return n, true
}

// Start is the port that the sweep started from; nil for a fabric that has none.
func (f *Fabric) Start() *Port { return f.start }

// Chassis lists the chassis that hold more than one node, in the order of
// their numbers, which start at 1.
func (f *Fabric) Chassis() []*Chassis { return f.chassis }

// Problems lists what is wrong or missing, in canonical order. A fabric
// without problems is complete.
func (f *Fabric) Problems() []Problem { return f.problems }

// Sweep tells how the fabric was gathered.
func (f *Fabric) Sweep() Sweep { return f.sweep }
