package identifiers

import (
	"iter"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Verify looks at port 0 of switches and at the cabled ports of other nodes: each
// needs a LID of its own, for its whole LMC range, and a port GUID that no other
// port and no other node has; each node a GUID. Findings come in the order of the
// nodes, and of two owners the first one is taken as right.
func Verify(nodes iter.Seq[*fabric.Node]) []Finding {
	v := verifier{
		lids:  map[ib.LID]*fabric.Port{},
		nodes: map[ib.GUID]*fabric.Port{},
		ports: map[ib.GUID]*fabric.Port{},
	}
	for n := range nodes {
		first := true
		for p := range endPorts(n) {
			v.lid(p)
			if first {
				v.node(p)
			}
			v.port(p)
			first = false
		}
	}
	return v.findings
}

// endPorts are the ports of a node that packets can be addressed to.
func endPorts(n *fabric.Node) iter.Seq[*fabric.Port] {
	return func(yield func(*fabric.Port) bool) {
		if n.Type() == ib.NodeSwitch {
			if p := n.Port(0); p != nil {
				yield(p)
			}
			return
		}
		for p := range n.Ports() {
			if p.Remote() != nil && !yield(p) {
				return
			}
		}
	}
}

type verifier struct {
	lids     map[ib.LID]*fabric.Port
	nodes    map[ib.GUID]*fabric.Port // by GUID of the node: the first of its ports
	ports    map[ib.GUID]*fabric.Port // by GUID of the port
	findings []Finding
}

func (v *verifier) add(kind Kind, p *fabric.Port, lid ib.LID, guid ib.GUID, other *fabric.Port) {
	v.findings = append(v.findings, Finding{Kind: kind, Port: p, LID: lid, GUID: guid, Other: other})
}

// lid checks the LIDs of a port, and tells of the first that another one has.
func (v *verifier) lid(p *fabric.Port) {
	base, told := p.LID(), false
	if base == 0 {
		v.add(ZeroLID, p, 0, p.Node().GUID(), nil)
		return
	}
	for i := range 1 << p.LMC() {
		lid := base + ib.LID(i)
		other, taken := v.lids[lid]
		if !taken {
			v.lids[lid] = p
		} else if !told {
			v.add(DuplicateLID, p, lid, p.Node().GUID(), other)
			told = true
		}
	}
}

func (v *verifier) node(p *fabric.Port) {
	guid := p.Node().GUID()
	if guid == 0 {
		v.add(ZeroGUID, p, p.LID(), 0, nil)
	}
	if other, taken := v.nodes[guid]; taken {
		v.add(DuplicateNode, p, p.LID(), guid, other)
		return
	}
	v.nodes[guid] = p
}

// port checks the GUID of a port. That of its own node is fine.
func (v *verifier) port(p *fabric.Port) {
	guid := p.GUID()
	if other, taken := v.ports[guid]; taken {
		v.add(DuplicatePort, p, p.LID(), guid, other)
		return
	}
	if other, taken := v.nodes[guid]; taken && guid != p.Node().GUID() {
		v.add(PortGUIDIsOfNode, p, p.LID(), guid, other)
	}
	v.ports[guid] = p
}
