package sim

import (
	"github.com/ibscope/ibscope/mad"
)

// The methods below are for a subnet manager that lives in the simulator: what
// it would do by many requests it does at once, without latency, loss, faults
// or M_Keys.

// Direct lets the agent of a node carry out a Get or a Set of subnet management
// at once. Data is the attribute, before and after; a status other than
// StatusOK leaves it as it is. A place that is not there, and a node without
// power, is StatusBusy.
func (s *Fabric) Direct(at Place, method mad.Method, attr mad.AttrID, modifier uint32, data *[mad.DataSize]byte) mad.Status {
	p, err := s.at("direct", at)
	if err != nil || p.node.isDead.Load() {
		return mad.StatusBusy
	}
	defer s.traps.flush()
	var out [mad.DataSize]byte
	q := query{sim: s, node: p.node, in: p.num, modifier: modifier, data: &out}
	var status mad.Status
	if method == mad.MethodSet {
		c := command{query: q, want: *data, from: p.lid()}
		status = c.run(attr)
	} else {
		status = q.get(attr)
	}
	if status == mad.StatusOK {
		*data = out
	}
	return status
}

// Peer is where the cable at a port leads, if packets of subnet management cross
// it now.
func (s *Fabric) Peer(at Place) (Place, bool) {
	p, err := s.at("peer", at)
	if err != nil || !p.isUp() || p.node.isDead.Load() {
		return Place{}, false
	}
	peer := p.peer.Load()
	if peer.node.isDead.Load() || s.faults.blocks(p) || s.faults.blocks(peer) {
		return Place{}, false
	}
	return peer.place(), true
}
