package sa

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/ibscope/ibscope/ib"
	adm "github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/sm"
)

// group is a multicast group: a record without port, and who is in it.
type group struct {
	record  adm.MCMemberRecord
	members []member
	stays   bool // also without members
}

type member struct {
	guid  ib.GUID
	place sim.Place
	state uint8 // Join… bits
	proxy bool
}

// The broadcast group of IPoIB (RFC 4391) as OpenSM makes it.
const (
	broadcastQKey = 0x0b1b
	defaultPKey   = 0xffff
	rate10Gb      = 3
	lifetime      = 18
)

var broadcastGID = ib.GID{0xff, 0x12, 0x40, 0x1b, 0xff, 0xff, 12: 0xff, 13: 0xff, 14: 0xff, 15: 0xff}

func (d *database) addBroadcast(s *sm.Subnet) {
	d.addGroup(&group{stays: true, record: adm.MCMemberRecord{
		MGID: broadcastGID, QKey: broadcastQKey, MLID: ib.MinMulticastLID, PKey: defaultPKey,
		MTUSelector: adm.SelectorExact, MTU: ib.MTU2048, RateSelector: adm.SelectorExact, Rate: rate10Gb,
		PktLifeSelector: adm.SelectorExact, PktLife: lifetime, Scope: 2,
	}})
}

func (d *database) addGroup(g *group) {
	d.groups[g.record.MGID] = g
	d.byMLID[g.record.MLID] = g
}

// sorted lists the groups by MLID. The caller holds the lock.
func (d *database) sorted() []*group {
	list := make([]*group, 0, len(d.groups))
	for _, g := range d.groups {
		list = append(list, g)
	}
	slices.SortFunc(list, func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.record.MLID, b.record.MLID), bytes.Compare(a.record.MGID[:], b.record.MGID[:]))
	})
	return list
}

// topGroup is the highest multicast LID that has members; false if there is
// none.
func (d *database) topGroup() (top ib.LID, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for lid, g := range d.byMLID {
		if len(g.members) > 0 {
			top, ok = max(top, lid), true
		}
	}
	return top, ok
}

// members: groups for everybody, and who is in them for those that are trusted,
// or ask for a port.
func (q *query) members() {
	q.mu.Lock()
	defer q.mu.Unlock()
	trusted := q.isTrusted()
	for _, g := range q.sorted() {
		if !q.wantsGroup(&g.record) {
			continue
		}
		if !trusted && !q.has(adm.CompMCMemberRecordPortGID) || len(g.members) == 0 {
			record := g.record
			for _, m := range g.members {
				record.JoinState |= m.state
			}
			if !q.encode(&record) {
				return
			}
			continue
		}
		for _, m := range g.members {
			record := g.record
			record.PortGID, record.JoinState, record.ProxyJoin = ib.GIDFrom(q.subnet.Prefix, m.guid), m.state, m.proxy
			if !q.encode(&record) {
				return
			}
		}
	}
}

// selected are the components with a selector: add would compare them as they
// are.
const selected = adm.CompMCMemberRecordMTUSelector | adm.CompMCMemberRecordMTU | adm.CompMCMemberRecordRateSelector |
	adm.CompMCMemberRecordRate | adm.CompMCMemberRecordPktLifeSelector | adm.CompMCMemberRecordPktLife

// wantsGroup compares what has a selector, and leaves the rest to add.
func (q *query) wantsGroup(r *adm.MCMemberRecord) bool {
	q.filter = filterOf((*adm.MCMemberRecord)(nil).Fields(), q.mask&^selected)
	var w adm.MCMemberRecord
	w.Decode((*[52]byte)(q.want))
	return q.fits(adm.CompMCMemberRecordMTUSelector|adm.CompMCMemberRecordMTU, w.MTUSelector, int(w.MTU), int(r.MTU)) &&
		q.fits(adm.CompMCMemberRecordRateSelector|adm.CompMCMemberRecordRate, w.RateSelector, rateOrder(w.Rate), rateOrder(r.Rate)) &&
		q.fits(adm.CompMCMemberRecordPktLifeSelector|adm.CompMCMemberRecordPktLife, w.PktLifeSelector, int(w.PktLife), int(r.PktLife))
}

// What a join needs, and what the making of a group needs besides (15.2.5.17.1).
const (
	joinComponents   = adm.CompMCMemberRecordMGID | adm.CompMCMemberRecordPortGID | adm.CompMCMemberRecordJoinState
	createComponents = adm.CompMCMemberRecordQKey | adm.CompMCMemberRecordPKey | adm.CompMCMemberRecordSL |
		adm.CompMCMemberRecordTClass | adm.CompMCMemberRecordFlowLabel
)

// join makes a port a member, and the group if there is none.
func (q *query) join() {
	var w adm.MCMemberRecord
	w.Decode((*[52]byte)(q.want))
	if q.mask&joinComponents&^adm.CompMCMemberRecordMGID != joinComponents&^adm.CompMCMemberRecordMGID {
		q.status = adm.StatusFewComponents
		return
	}
	p := q.subnet.ByGUID(w.PortGID.GUID())
	if p == nil || w.PortGID.Prefix() != q.subnet.Prefix {
		q.status = adm.StatusInvalidGID
		return
	}
	if w.JoinState == 0 {
		q.status = adm.StatusRequestInvalid
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	g := q.groups[w.MGID]
	if g == nil {
		if g = q.create(&w); g == nil {
			return
		}
	} else if !q.agrees(&w, &g.record) {
		q.status = adm.StatusRequestInvalid
		return
	}
	q.enter(g, p, &w)
}

// agrees compares the components of a join with the group's.
func (q *query) agrees(w, r *adm.MCMemberRecord) bool {
	b, err := r.AppendBinary(nil)
	if err != nil || !q.wantsGroup(r) {
		return false
	}
	const own = adm.CompMCMemberRecordPortGID | adm.CompMCMemberRecordJoinState | adm.CompMCMemberRecordProxyJoin |
		adm.CompMCMemberRecordMLID | adm.CompMCMemberRecordHopLimit | adm.CompMCMemberRecordScope
	for _, part := range filterOf((*adm.MCMemberRecord)(nil).Fields(), q.mask&^selected&^own) {
		if !equalBits(q.want, b, part) {
			return false
		}
	}
	return true
}

// create makes the group that a join is for; nil, with a status, if it cannot.
func (q *query) create(w *adm.MCMemberRecord) *group {
	switch {
	case q.mask&createComponents != createComponents:
		q.status = adm.StatusFewComponents
		return nil
	case w.JoinState&adm.JoinFull == 0:
		q.status = adm.StatusRequestInvalid
		return nil
	}
	mlid := ib.MinMulticastLID
	for q.byMLID[mlid] != nil {
		mlid++
	}
	if w.MGID.IsZero() { // the manager chooses
		w.MGID = ib.GID{0xff, 0x12, 0xa0, 0x1c, 0xfe, 0x80}
		binary.BigEndian.PutUint64(w.MGID[8:], uint64(mlid))
	}
	if w.MGID[0] != 0xff || mlid > maxMulticastLID {
		q.status = adm.StatusRequestInvalid
		return nil
	}
	r := *w
	r.MLID, r.PortGID, r.JoinState, r.ProxyJoin = mlid, ib.GID{}, 0, false
	r.MTUSelector, r.RateSelector, r.PktLifeSelector = adm.SelectorExact, adm.SelectorExact, adm.SelectorExact
	if !q.has(adm.CompMCMemberRecordMTU) {
		r.MTU = ib.MTU2048
	}
	if !q.has(adm.CompMCMemberRecordRate) {
		r.Rate = rate10Gb
	}
	if !q.has(adm.CompMCMemberRecordPktLife) {
		r.PktLife = lifetime
	}
	r.Scope = w.MGID[1] & 0xf
	g := &group{record: r}
	q.addGroup(g)
	q.events = append(q.events, q.subnet.Notice(smp.TrapMcastGroupCreated, r.MGID))
	return g
}

// maxMulticastLID is the last group that switches have a table entry for.
const maxMulticastLID = ib.MinMulticastLID + 4095

// enter adds the member and answers.
func (q *query) enter(g *group, p *sm.EndPort, w *adm.MCMemberRecord) {
	i := slices.IndexFunc(g.members, func(m member) bool { return m.guid == p.GUID })
	if i < 0 {
		if q.memberships >= maxMemberships {
			q.status = adm.StatusNoResources
			return
		}
		q.memberships++
		i = len(g.members)
		g.members = append(g.members, member{guid: p.GUID, place: p.Place})
	}
	g.members[i].state |= w.JoinState
	g.members[i].proxy = q.has(adm.CompMCMemberRecordProxyJoin) && w.ProxyJoin
	record := g.record
	record.PortGID, record.JoinState, record.ProxyJoin = q.gid(p), g.members[i].state, g.members[i].proxy
	q.tell(g)
	q.filter = nil
	q.encode(&record)
}

// tell brings the members to the switches' tables.
func (q *query) tell(g *group) {
	var places []sim.Place
	for _, m := range g.members {
		places = append(places, m.place)
	}
	q.manager.SetGroup(q.subnet, g.record.MLID, places)
}

// leave takes a member's bits away, then the member, then the group when nobody
// is a full member.
func (q *query) leave() {
	var w adm.MCMemberRecord
	w.Decode((*[52]byte)(q.want))
	if q.mask&joinComponents != joinComponents {
		q.status = adm.StatusFewComponents
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	g := q.groups[w.MGID]
	i := -1
	if g != nil {
		i = slices.IndexFunc(g.members, func(m member) bool { return m.guid == w.PortGID.GUID() })
	}
	if i < 0 || g.members[i].state&w.JoinState == 0 {
		q.status = adm.StatusRequestInvalid
		return
	}
	g.members[i].state &^= w.JoinState
	record := g.record
	record.PortGID, record.JoinState = w.PortGID, w.JoinState
	if g.members[i].state == 0 {
		g.members = slices.Delete(g.members, i, i+1)
		q.memberships--
	}
	if !g.stays && !slices.ContainsFunc(g.members, func(m member) bool { return m.state&adm.JoinFull != 0 }) {
		q.memberships -= len(g.members)
		g.members = nil
		delete(q.groups, g.record.MGID)
		delete(q.byMLID, g.record.MLID)
		q.events = append(q.events, q.subnet.Notice(smp.TrapMcastGroupDeleted, g.record.MGID))
	}
	q.tell(g)
	q.filter = nil
	q.encode(&record)
}
