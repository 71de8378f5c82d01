package fabric

import (
	"fmt"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// Builder gathers a fabric. Add nodes in canonical order, then tell what is
// known of them, in any order; Build ends it. It is not safe for concurrent use.
type Builder struct {
	f Fabric
}

// NewBuilder starts an empty fabric.
func NewBuilder() *Builder { return &Builder{} }

// AddNode adds a node with the NodeInfo that it gave. Nodes with a GUID that
// is already there are added too; Build reports them.
func (b *Builder) AddNode(info *[mad.DataSize]byte) *Node {
	var v smp.NodeInfo
	v.Decode(info)
	n := &Node{guid: v.NodeGUID, typ: v.NodeType, numPorts: v.NumPorts, info: *info, index: int32(len(b.f.nodes))}
	b.f.nodes = append(b.f.nodes, n)
	return n
}

// SetDescription sets the NodeDescription.
func (b *Builder) SetDescription(n *Node, desc *[mad.DataSize]byte) {
	n.desc = *desc
	n.has |= hasDescription
}

// SetPath sets the directed route that leads to the node.
func (b *Builder) SetPath(n *Node, path ib.DRPath) {
	n.path = path
	n.has |= hasPath
}

// SetSwitchInfo sets the SwitchInfo of a switch.
func (b *Builder) SetSwitchInfo(n *Node, info *[mad.DataSize]byte) {
	c := *info
	n.swInfo = &c
}

// Port is the port of n with that number, made known if it was not. It is nil
// for a number beyond NumPorts. Its GUID is the node's: a CA port other than
// the one that told NodeInfo wants SetPortGUID.
func (b *Builder) Port(n *Node, num int) *Port {
	if num < 0 || num > n.NumPorts() {
		return nil
	}
	if n.ports == nil {
		n.ports = make([]Port, n.NumPorts()+1)
	}
	p := &n.ports[num]
	if !p.known() {
		*p = Port{node: n, num: uint8(num), has: hasShell, guid: n.Info().PortGUID}
	}
	return p
}

// SetPortGUID sets the port GUID.
func (b *Builder) SetPortGUID(p *Port, g ib.GUID) { p.guid = g }

// SetPortInfo sets the PortInfo of a port.
func (b *Builder) SetPortInfo(p *Port, info *[mad.DataSize]byte) {
	p.info = *info
	p.has |= hasInfo
}

// SetInfoOrder sets the port's place in the order of PortInfo, from 1; see
// Port.InfoOrder.
func (b *Builder) SetInfoOrder(p *Port, order int) { p.order = uint32(order) }

// SetExtendedPortInfo sets Mellanox ExtendedPortInfo.
func (b *Builder) SetExtendedPortInfo(p *Port, info *[mad.DataSize]byte) {
	c := *info
	p.ext = &c
}

// Link connects two ports. An end that is already connected elsewhere keeps its
// link; the other end then points to it one-way, and Build reports the conflict.
func (b *Builder) Link(p, q *Port) {
	for _, end := range [...][2]*Port{{p, q}, {q, p}} {
		from, to := end[0], end[1]
		switch {
		case from.remote == nil:
			from.remote = to
		case from.remote != to:
			b.AddProblem(Problem{
				Kind: LinkConflict, GUID: from.node.guid, Port: from.Num(),
				Detail: fmt.Sprintf("is connected to node %s port %d, but node %s port %d claims it too",
					from.remote.node.guid, from.remote.num, to.node.guid, to.num),
			})
		}
	}
}

// SetStart names the port that the sweep started from.
func (b *Builder) SetStart(p *Port) { b.f.start = p }

// AddProblem records a problem.
func (b *Builder) AddProblem(p Problem) { b.f.problems = append(b.f.problems, p) }

// SetSweep records how the fabric was gathered.
func (b *Builder) SetSweep(s Sweep) { b.f.sweep = s }

// Build finishes the fabric: look-up tables, chassis, and problems that the
// graph itself shows. The Builder must not be used after it.
func (b *Builder) Build() *Fabric {
	f := &b.f
	f.indexGUIDs()
	f.indexLIDs()
	f.reportDisagreements()
	f.groupChassis()
	return f
}
