package fabric

import (
	"encoding/binary"
	"slices"

	"github.com/ibscope/ibscope/ib"
)

// Unlink takes the link of p away, and the far end's if it points back.
func (b *Builder) Unlink(p *Port) {
	if r := p.remote; r != nil && r.remote == p {
		r.remote = nil
	}
	p.remote = nil
}

// Remove takes a node away, with its links. The nodes that were added after it move up
// by one place.
func (b *Builder) Remove(n *Node) {
	for i := range n.ports {
		b.Unlink(&n.ports[i])
	}
	b.f.nodes = slices.Delete(b.f.nodes, int(n.index), int(n.index)+1)
	for i, m := range b.f.nodes[n.index:] {
		m.index = n.index + int32(i)
	}
}

// Reorder sets the canonical order of the nodes. The order must hold each node
// once; nodes that it leaves out come last, in the order in which they were added.
func (b *Builder) Reorder(order []*Node) {
	for _, n := range b.f.nodes {
		n.index = -1
	}
	nodes := make([]*Node, 0, len(b.f.nodes))
	for _, from := range [...][]*Node{order, b.f.nodes} {
		for _, n := range from {
			if n.index < 0 {
				n.index = int32(len(nodes))
				nodes = append(nodes, n)
			}
		}
	}
	b.f.nodes = nodes
}

// Offsets of the fields that tell which port a request arrived on.
const (
	infoPortGUID  = 20 // NodeInfo.PortGUID
	infoLocalPort = 36 // NodeInfo.LocalPort
	portLocalPort = 28 // PortInfo.LocalPort
)

// SetArrival makes port num the one that the node's attributes were asked
// through: LocalPort in NodeInfo and, on a switch, in each PortInfo, and PortGUID
// elsewhere. A sweep does so to tell the same whichever way its requests took.
func (b *Builder) SetArrival(n *Node, num int) {
	n.info[infoLocalPort] = byte(num)
	if n.typ != ib.NodeSwitch {
		if p := n.Port(num); p != nil {
			binary.BigEndian.PutUint64(n.info[infoPortGUID:], uint64(p.guid))
		}
		return
	}
	for i := range n.ports {
		if n.ports[i].has&hasInfo != 0 {
			n.ports[i].info[portLocalPort] = byte(num)
		}
	}
}
