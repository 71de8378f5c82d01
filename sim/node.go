package sim

import (
	"sync/atomic"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// node is a node as it is now: what the model tells, and over it what has
// changed. Readers take no lock; whoever changes something holds Fabric.mu and
// puts a new value in place of the old one, which never changes.
type node struct {
	model    *fabric.Node
	ports    []port // by number; 0 of an adapter is not used
	isSwitch bool
	isDead   atomic.Bool

	identity    atomic.Pointer[[mad.DataSize]byte] // NodeInfo, once replaced
	description atomic.Pointer[[mad.DataSize]byte]
	switchInfo  atomic.Pointer[[mad.DataSize]byte]
	topLID      atomic.Int32               // LinearFDBTop, -1 until it was set
	forwarding  atomic.Pointer[forwarding] // nil until it was set
	tables      atomic.Pointer[tables]     // nil until one was set
}

// port is a port as it is now. There are many: keep it small.
type port struct {
	node  *node
	peer  atomic.Pointer[port]               // the other end of the cable
	info  atomic.Pointer[[mad.DataSize]byte] // PortInfo, once changed
	quick atomic.Uint32                      // what packets must know, see quick…
	num   uint8
}

// newNodes makes the nodes of a fabric as the model tells them.
func newNodes(f *fabric.Fabric) []node {
	nodes := make([]node, f.NumNodes())
	for n := range f.Nodes() {
		own := &nodes[n.Index()]
		own.model, own.isSwitch = n, isSwitch(n)
		own.topLID.Store(-1)
		own.ports = make([]port, n.NumPorts()+1)
		for i := range own.ports {
			own.ports[i].node, own.ports[i].num = own, uint8(i)
		}
	}
	for p := range f.Ports() {
		own := &nodes[p.Node().Index()].ports[p.Num()]
		if r := p.Remote(); r != nil {
			own.peer.Store(&nodes[r.Node().Index()].ports[r.Num()])
		}
	}
	for i := range nodes {
		for num := range nodes[i].ports {
			p := &nodes[i].ports[num]
			p.quick.Store(summary(p.raw()))
		}
	}
	return nodes
}

// port is the port with that number; nil beyond the last.
func (n *node) port(num int) *port {
	if num < 0 || num >= len(n.ports) {
		return nil
	}
	return &n.ports[num]
}

// keeper is the port that has the LID, the M_Key and the capabilities of port
// num: on a switch port 0.
func (n *node) keeper(num int) *port {
	if n.isSwitch {
		num = 0
	}
	return &n.ports[num]
}

// raw is the PortInfo in wire form; nil where the model does not know it.
func (p *port) raw() *[mad.DataSize]byte {
	if b := p.info.Load(); b != nil {
		return b
	}
	if m := p.node.model.Port(int(p.num)); m != nil {
		return m.InfoBytes()
	}
	return nil
}

// nodeInfo is the NodeInfo in wire form.
func (n *node) nodeInfo() *[mad.DataSize]byte {
	if b := n.identity.Load(); b != nil {
		return b
	}
	return n.model.InfoBytes()
}

// guid is the node's GUID, which changes when the node is replaced.
func (n *node) guid() ib.GUID {
	if n.identity.Load() == nil {
		return n.model.GUID()
	}
	return ib.GUID(be.Uint64(n.nodeInfo()[offNodeGUID:]))
}

// portGUID is the GUID of port num: on a switch that of port 0. It is 0 when
// nobody knows.
func (n *node) portGUID(num int) ib.GUID {
	if n.isSwitch {
		num = 0
	}
	if n.identity.Load() != nil {
		return n.guid() + ib.GUID(num)
	}
	if p := n.model.Port(num); p != nil {
		return p.GUID()
	}
	return 0
}

// isUp reports whether packets of subnet management cross the cable at p: both
// ends must be physically up, their logical state does not matter.
func (p *port) isUp() bool {
	peer := p.peer.Load()
	return peer != nil && p.quick.Load()&peer.quick.Load()&quickUp != 0
}

func (p *port) place() Place { return Place{p.node.model, int(p.num)} }
