package sm

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/gs"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
)

// producerManager is the producer of the notices of a manager itself, a class
// manager (IBA vol. 1, 13.4.8.2).
const producerManager = 4

// offNoticeGID is where traps 64 to 67 have the GID that they are about.
const offNoticeGID = 6

// Notices makes f hear of everything that a manager learns: traps of the
// fabric's agents, and what it finds itself, ports that come and go (traps 64
// and 65). It must not wait. Nil ends it.
func (m *Manager) Notices(f func(*Subnet, *gs.Notice)) {
	if f == nil {
		m.listener.Store(nil)
		return
	}
	m.listener.Store(&f)
}

// notify tells the one who listens.
func (m *Manager) notify(s *Subnet, n *gs.Notice) {
	if f := m.listener.Load(); f != nil {
		(*f)(s, n)
	}
}

// trapped passes a trap on, with the GID of who has sent it.
func (m *Manager) trapped(at sim.Place, p *mad.Packet) {
	s := m.SubnetAt(at)
	if s == nil || p.AttrID() != smp.AttrNotice {
		return
	}
	var n gs.Notice
	n.Notice.Decode(p.SMPData())
	if from := s.ByLID(n.IssuerLID); from != nil {
		n.IssuerGID = ib.GIDFrom(s.Prefix, from.GUID)
	}
	m.notify(s, &n)
}

// Notice is a notice of the subnet's manager itself: traps 64 to 67, about a GID.
func (s *Subnet) Notice(trap uint16, gid ib.GID) *gs.Notice {
	n := &gs.Notice{IssuerGID: ib.GIDFrom(s.Prefix, s.SMGUID), Notice: smp.Notice{
		IsGeneric: true, Type: smp.NoticeSM, ProducerType: producerManager, TrapNumber: trap, IssuerLID: s.SMLID,
	}}
	copy(n.Details[offNoticeGID:], gid[:])
	return n
}

// AboutGID is the GID that traps 64 to 67 are about; false for other notices.
func AboutGID(n *gs.Notice) (gid ib.GID, ok bool) {
	ok = n.IsGeneric && n.TrapNumber >= smp.TrapGIDInService && n.TrapNumber <= smp.TrapMcastGroupDeleted
	if ok {
		copy(gid[:], n.Details[offNoticeGID:])
	}
	return gid, ok
}

// event is a notice that waits until the sweep is over.
type event struct {
	subnet *Subnet
	notice *gs.Notice
}

// compare finds the ports that have come to a subnet, and gone.
func compare(old, now *Subnet) (events []event) {
	for i := range old.Ports {
		if p := &old.Ports[i]; now.byPortGUID(p.GUID) == nil {
			events = append(events, event{now, now.Notice(smp.TrapGIDOutOfService, ib.GIDFrom(now.Prefix, p.GUID))})
		}
	}
	for i := range now.Ports {
		if p := &now.Ports[i]; old.byPortGUID(p.GUID) == nil {
			events = append(events, event{now, now.Notice(smp.TrapGIDInService, ib.GIDFrom(now.Prefix, p.GUID))})
		}
	}
	return events
}
