package sim

import (
	"cmp"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// The methods below tell how the fabric is now. They cost no request and pass
// no fault; places that are not there have zero values.

// PortInfo is the PortInfo of a port, M_Key included.
func (s *Fabric) PortInfo(at Place) smp.PortInfo {
	p, err := s.at("look", at)
	if err != nil {
		return smp.PortInfo{}
	}
	return s.portInfo(p)
}

// Cable is the other end of the cable at a port, whether the link is up or not;
// false if there is no cable.
func (s *Fabric) Cable(at Place) (Place, bool) {
	p, err := s.at("look", at)
	if err != nil {
		return Place{}, false
	}
	peer := p.peer.Load()
	if peer == nil {
		return Place{}, false
	}
	return peer.place(), true
}

// IsUp reports whether the link at a port is up at both ends.
func (s *Fabric) IsUp(at Place) bool {
	p, err := s.at("look", at)
	return err == nil && p.isUp()
}

// IsAlive reports whether a node has power.
func (s *Fabric) IsAlive(n *fabric.Node) bool {
	own, err := s.node("look", n)
	return err == nil && !own.isDead.Load()
}

// GUID is the GUID of a node, which ReplaceNode changes.
func (s *Fabric) GUID(n *fabric.Node) ib.GUID {
	own, err := s.node("look", n)
	if err != nil {
		return 0
	}
	return own.guid()
}

// Description is the description of a node, which SetNodeDescription and
// ReplaceNode change.
func (s *Fabric) Description(n *fabric.Node) string {
	own, err := s.node("look", n)
	if err != nil {
		return ""
	}
	raw := own.description.Load()
	if raw == nil {
		return n.Description()
	}
	var v smp.NodeDescription
	v.Decode(raw)
	return v.String()
}

// ByLID is the port that owns a LID, on a switch its port 0; false for none.
func (s *Fabric) ByLID(lid ib.LID) (Place, bool) {
	for i := range s.nodes {
		n := &s.nodes[i]
		for num := range n.ports {
			if p := &n.ports[num]; n.keeper(num) == p && (num != 0 || n.isSwitch) && p.owns(lid) {
				return p.place(), true
			}
		}
	}
	return Place{}, false
}

// Next is the port by which a switch forwards to a LID: 0 for the switch
// itself, false for none.
func (s *Fabric) Next(n *fabric.Node, lid ib.LID) (port int, ok bool) {
	own, err := s.node("look", n)
	if err != nil || !own.isSwitch {
		return 0, false
	}
	out := s.routes.next(own, lid)
	return int(out), out != noRoute
}

// Clients lists the Ports that are open, in the order in which they were opened.
func (s *Fabric) Clients() []*Port {
	s.clients.mu.RLock()
	defer s.clients.mu.RUnlock()
	var list []*Port
	for _, at := range s.clients.at {
		list = append(list, at...)
	}
	slices.SortFunc(list, func(a, b *Port) int { return cmp.Compare(a.id, b.id) })
	return list
}

// IsSM reports whether SetIsSM has made the program the subnet manager.
func (p *Port) IsSM() bool { return p.isSM.Load() }

// ID tells the Ports of a fabric apart.
func (p *Port) ID() uint64 { return p.id }
