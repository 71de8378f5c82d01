package saview

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/saclient"
)

// reader gathers records until they make a fabric.
type reader struct {
	client   *saclient.Client
	nodes    []*entry
	byGUID   map[ib.GUID]*entry
	byLID    map[ib.LID]*entry
	links    map[port]port // as each record tells, from its end
	ends     []port        // of links, in the order of the records
	problems []fabric.Problem
}

// entry is a node.
type entry struct {
	info   [mad.DataSize]byte
	node   smp.NodeInfo
	desc   [mad.DataSize]byte
	swInfo *[mad.DataSize]byte
	ports  []portEntry // by number
}

// portEntry is a port of a node.
type portEntry struct {
	guid    ib.GUID // 0 when no NodeRecord told it
	lid     ib.LID  // likewise; of a switch on port 0
	info    [mad.DataSize]byte
	hasInfo bool
}

// port is a port by its node and number.
type port struct {
	of  *entry
	num uint8
}

func newReader(c *saclient.Client) *reader {
	return &reader{client: c, byGUID: map[ib.GUID]*entry{}, byLID: map[ib.LID]*entry{}, links: map[port]port{}}
}

// Where the attributes are in the records.
const (
	headerLength   = 4 // LID, and what tells ports or nothing
	nodeInfoLength = 40
	descriptionAt  = headerLength + nodeInfoLength
	portInfoLength = 64
	swInfoLength   = 20
)

func (e *entry) isSwitch() bool { return e.node.NodeType == ib.NodeSwitch }

// node takes a NodeRecord: one for a switch, one for each port of other nodes.
func (r *reader) node(row []byte) bool {
	var v sa.NodeRecord
	if v.UnmarshalBinary(row) != nil {
		return false
	}
	i := &v.Node
	if i.NodeType == 0 || i.NodeType > ib.NodeRouter || i.LocalPort > i.NumPorts || !v.LID.IsUnicast() {
		return false
	}
	e := r.byGUID[i.NodeGUID]
	if e == nil {
		e = &entry{node: *i, ports: make([]portEntry, int(i.NumPorts)+1)}
		copy(e.info[:], row[headerLength:descriptionAt])
		copy(e.desc[:], row[descriptionAt:])
		r.byGUID[i.NodeGUID] = e
		r.nodes = append(r.nodes, e)
	}
	if e.node.NodeType != i.NodeType || e.node.NumPorts != i.NumPorts {
		return false
	}
	num := i.LocalPort
	if e.isSwitch() {
		num = 0
	}
	if owner := r.byLID[v.LID]; owner != nil && owner != e { // the ports of planes share one
		return false
	}
	r.byLID[v.LID] = e
	e.ports[num].guid, e.ports[num].lid = i.PortGUID, v.LID
	return true
}

// at is the port that a record means by a LID and a port number: any of a switch,
// of other nodes one that has the LID.
func (r *reader) at(lid ib.LID, num uint8) (port, bool) {
	e := r.byLID[lid]
	if e == nil || int(num) >= len(e.ports) || !e.isSwitch() && e.ports[num].lid != lid {
		return port{}, false
	}
	return port{e, num}, true
}

// switchInfo takes a SwitchInfoRecord.
func (r *reader) switchInfo(row []byte) bool {
	var v sa.SwitchInfoRecord
	if v.UnmarshalBinary(row) != nil {
		return false
	}
	p, ok := r.at(v.LID, 0)
	if !ok {
		return false
	}
	p.of.swInfo = new([mad.DataSize]byte)
	copy(p.of.swInfo[:], row[headerLength:headerLength+swInfoLength])
	return true
}

// portInfo takes a PortInfoRecord.
func (r *reader) portInfo(row []byte) bool {
	var v sa.PortInfoRecord
	if v.UnmarshalBinary(row) != nil {
		return false
	}
	p, ok := r.at(v.EndPortLID, v.PortNum)
	if !ok {
		return false
	}
	e := &p.of.ports[p.num]
	copy(e.info[:], row[headerLength:headerLength+portInfoLength])
	e.hasInfo = true
	return true
}

// link takes a LinkRecord: one end's view of a link.
func (r *reader) link(row []byte) bool {
	var v sa.LinkRecord
	if v.UnmarshalBinary(row) != nil {
		return false
	}
	from, okFrom := r.at(v.FromLID, v.FromPort)
	to, okTo := r.at(v.ToLID, v.ToPort)
	if !okFrom || !okTo || from.num == 0 || to.num == 0 {
		return false
	}
	if old, told := r.links[from]; told {
		return old == to
	}
	r.links[from] = to
	r.ends = append(r.ends, from)
	return true
}
