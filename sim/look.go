package sim

import (
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
