package sm

import (
	"sync"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
)

// Subnet is what a manager knows of its subnet after a sweep. It does not
// change; the next sweep makes another.
type Subnet struct {
	SM       sim.Place // where the manager runs
	SMLID    ib.LID
	SMGUID   ib.GUID
	Prefix   uint64
	Switches []*fabric.Node
	Ports    []EndPort // by LID

	manager *Manager
	byLID   []int32 // index in Ports + 1
	byGUID  map[ib.GUID]int32
	byPlace map[sim.Place]int32
	tables  func() *route.Tables
}

// EndPort is a port that has a LID: of an adapter or a router, or port 0 of a
// switch.
type EndPort struct {
	Place sim.Place
	GUID  ib.GUID
	LID   ib.LID
	LMC   uint8
}

// index fills in what look-ups need.
func (s *Subnet) index(m *Manager) {
	s.byGUID = make(map[ib.GUID]int32, len(s.Ports))
	s.byPlace = make(map[sim.Place]int32, len(s.Ports))
	for i := range s.Ports {
		p := &s.Ports[i]
		s.byPlace[p.Place] = int32(i)
		if p.Place == s.SM {
			s.SMGUID = p.GUID
		}
		if _, ok := s.byGUID[p.GUID]; !ok {
			s.byGUID[p.GUID] = int32(i)
		}
		if p.LID == 0 {
			continue
		}
		for len(s.byLID) < int(p.LID)+1<<p.LMC {
			s.byLID = append(s.byLID, 0)
		}
		for lid := int(p.LID); lid < int(p.LID)+1<<p.LMC; lid++ {
			if s.byLID[lid] == 0 { // of the ports of several planes the first
				s.byLID[lid] = int32(i) + 1
			}
		}
	}
	s.tables = sync.OnceValue(func() *route.Tables { return m.routeTables(s) })
}

// ByLID is the port that has a LID; nil for none.
func (s *Subnet) ByLID(lid ib.LID) *EndPort {
	if int(lid) < len(s.byLID) && s.byLID[lid] > 0 {
		return &s.Ports[s.byLID[lid]-1]
	}
	return nil
}

// ByGUID is the port with that port GUID, or with that alias, which is then the
// GUID of the EndPort; nil for none.
func (s *Subnet) ByGUID(g ib.GUID) *EndPort {
	if p := s.byPortGUID(g); p != nil {
		return p
	}
	if at, ok := s.manager.aliases.ownerOf(g); ok {
		if p := s.ByPlace(at); p != nil {
			alias := *p
			alias.GUID = g
			return &alias
		}
	}
	return nil
}

func (s *Subnet) byPortGUID(g ib.GUID) *EndPort {
	if i, ok := s.byGUID[g]; ok {
		return &s.Ports[i]
	}
	return nil
}

// ByPlace is the port at a place, that of port 0 for ports of switches; nil for
// none.
func (s *Subnet) ByPlace(at sim.Place) *EndPort {
	if at.Node == nil {
		return nil
	}
	if isSwitch(at.Node) {
		at.Port = 0
	}
	if i, ok := s.byPlace[at]; ok {
		return &s.Ports[i]
	}
	return nil
}

// Tables are the forwarding tables of the subnet's switches.
func (s *Subnet) Tables() *route.Tables { return s.tables() }

// routeTables makes the tables by the engine that was asked for, or one that is
// possible.
func (m *Manager) routeTables(s *Subnet) *route.Tables {
	o := &route.Options{
		Peer: func(n *fabric.Node, num int) (*fabric.Node, int, bool) {
			p, ok := m.sim.Peer(sim.Place{Node: n, Port: num})
			return p.Node, p.Port, ok
		},
		LID: func(n *fabric.Node, num int) (ib.LID, uint8) {
			if p := s.ByPlace(sim.Place{Node: n, Port: num}); p != nil {
				return p.LID, p.LMC
			}
			return 0, 0
		},
	}
	engines := []route.Engine{m.options.Engine, route.UpDown}
	if m.options.Engine == "" {
		engines = []route.Engine{route.FatTree, route.MinHop}
	}
	for _, e := range engines {
		if t, err := route.New(m.sim.Model(), e, o); err == nil {
			return t
		}
	}
	panic("sm: an engine that takes every fabric refuses one") // MinHop and UpDown do not fail
}
