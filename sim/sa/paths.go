package sa

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	adm "github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/sm"
)

// maxPathHops ends the search in tables that lead in circles.
const maxPathHops = 64

// pathFields are the components of a PathRecord that are compared as they are.
// Every SL will do; flow label and traffic class mean nothing within a subnet.
const pathFields = adm.CompPathRecordDLID | adm.CompPathRecordSLID

// paths: from the ports that the source components name to those that the
// destination components do; both default to all.
func (q *query) paths() {
	var w adm.PathRecord
	w.Decode((*[64]byte)(q.want))
	if q.packet.Method() == mad.MethodGet &&
		(q.mask&(adm.CompPathRecordSGID|adm.CompPathRecordSLID) == 0 || q.mask&(adm.CompPathRecordDGID|adm.CompPathRecordDLID) == 0) {
		q.status = adm.StatusFewComponents
		return
	}
	sources, ok := q.side(adm.CompPathRecordSGID, w.SGID, adm.CompPathRecordSLID, w.SLID)
	if !ok {
		return
	}
	dests, ok := q.side(adm.CompPathRecordDGID, w.DGID, adm.CompPathRecordDLID, w.DLID)
	if !ok || !q.pathPossible(&w) {
		return
	}
	limit := 0
	switch {
	case q.packet.Method() == mad.MethodGet:
		limit = 1
	case q.has(adm.CompPathRecordNumPath) && w.NumPath > 0:
		limit = int(w.NumPath)
	}
	if len(sources)*len(dests) > maxTable/q.stride && limit == 0 {
		q.status = adm.StatusNoResources
		return
	}
	q.filter = filterOf((*adm.PathRecord)(nil).Fields(), q.mask&pathFields)
	for i := range sources {
		for j := range dests {
			if !q.pair(&sources[i], &dests[j], &w, limit) || q.packet.Method() == mad.MethodGet && q.count > 0 {
				return
			}
		}
	}
}

// side lists the ports that a GID or a LID names; all without them. A GID that
// nobody has is an error in a Get.
func (q *query) side(gidComponent uint64, gid ib.GID, lidComponent uint64, lid ib.LID) ([]sm.EndPort, bool) {
	var p *sm.EndPort
	switch {
	case q.has(gidComponent):
		if p = q.subnet.ByGUID(gid.GUID()); p == nil || gid.Prefix() != q.subnet.Prefix && gid.Prefix() != ib.DefaultSubnetPrefix {
			if q.packet.Method() == mad.MethodGet {
				q.status = adm.StatusInvalidGID
			}
			return nil, false
		}
		if q.has(lidComponent) && q.subnet.ByLID(lid) != p {
			return nil, true
		}
	case q.has(lidComponent):
		if p = q.subnet.ByLID(lid); p == nil {
			return nil, true
		}
	default:
		return q.subnet.Ports, true
	}
	return []sm.EndPort{*p}, true
}

// pathPossible checks what is alike for all paths: raw traffic.
func (q *query) pathPossible(w *adm.PathRecord) bool {
	return !(q.has(adm.CompPathRecordRawTraffic) && w.RawTraffic)
}

// pair adds the paths between two ports: up to limit, 0 for all of them.
func (q *query) pair(from, to *sm.EndPort, w *adm.PathRecord, limit int) bool {
	if from.LID == 0 || to.LID == 0 {
		return true
	}
	wanted := ib.PKey(0)
	if q.has(adm.CompPathRecordPKey) {
		wanted = w.PKey
	}
	pkey, ok := q.manager.SharedPKey(from.Place.Node, to.Place.Node, wanted)
	if !ok {
		return true
	}
	count := 1 << max(from.LMC, to.LMC)
	for i := range count {
		before := q.count
		slid, dlid := from.LID+ib.LID(i&(1<<from.LMC-1)), to.LID+ib.LID(i&(1<<to.LMC-1))
		r, ok := q.trace(from, to, slid, dlid)
		r.PKey = pkey
		if q.has(adm.CompPathRecordSL) {
			r.SL = w.SL
		}
		if ok && q.pathFits(w, &r) && !q.encode(&r) {
			return false
		}
		if limit > 0 && q.count > before {
			if limit--; limit == 0 {
				return true
			}
		}
	}
	return true
}

// pathFits applies the selectors.
func (q *query) pathFits(w, r *adm.PathRecord) bool {
	return q.fits(adm.CompPathRecordMTUSelector|adm.CompPathRecordMTU, w.MTUSelector, int(w.MTU), int(r.MTU)) &&
		q.fits(adm.CompPathRecordRateSelector|adm.CompPathRecordRate, w.RateSelector, rateOrder(w.Rate), rateOrder(r.Rate)) &&
		q.fits(adm.CompPathRecordPktLifeSelector|adm.CompPathRecordPktLife, w.PktLifeSelector, int(w.PktLife), int(r.PktLife))
}

// trace follows the switches' tables as they are now, and takes the least MTU
// and rate on the way.
func (q *query) trace(from, to *sm.EndPort, slid, dlid ib.LID) (adm.PathRecord, bool) {
	r := adm.PathRecord{
		DGID: q.gid(to), SGID: q.gid(from), DLID: dlid, SLID: slid, Reversible: true, NumPath: 0,
		MTUSelector: adm.SelectorExact, MTU: ib.MTU4096, RateSelector: adm.SelectorExact, Rate: 23,
		PktLifeSelector: adm.SelectorExact, PktLife: lifetime,
	}
	fabric := q.manager.Fabric()
	at := from.Place
	q.narrow(&r, at)
	for hops := 0; at != to.Place; hops++ {
		if hops > maxPathHops {
			return r, false
		}
		out := at
		if at.Node.Type() == ib.NodeSwitch {
			out.Port = q.forwards(at.Node, dlid)
			if out.Port == 0 {
				at.Port = 0
				return r, at == to.Place
			}
		}
		next, ok := fabric.Peer(out)
		if !ok {
			return r, false
		}
		q.narrow(&r, out)
		at = next
		if at.Node.Type() != ib.NodeSwitch && at != to.Place {
			return r, false
		}
	}
	if from.Place == to.Place {
		r.PktLife = 0
	}
	return r, true
}

// narrow lowers MTU and rate to what a port on the way has.
func (q *query) narrow(r *adm.PathRecord, at sim.Place) {
	limits := q.limitsOf(at)
	if limits.mtu != 0 {
		r.MTU = min(r.MTU, limits.mtu)
	}
	if limits.rate != 0 && rateOrder(limits.rate) < rateOrder(r.Rate) {
		r.Rate = limits.rate
	}
}

// multiPathHeader is where the GIDs begin in a MultiPathRecord.
const multiPathHeader = 24

// multiPaths: paths between each of the sources and each of the destinations.
func (q *query) multiPaths() {
	var w adm.MultiPathRecord
	w.Decode((*[200]byte)(q.want))
	sources, dests := int(w.SGIDCount), int(w.DGIDCount)
	if sources == 0 || dests == 0 || q.mask&(adm.CompMultiPathRecordSGIDCount|adm.CompMultiPathRecordDGIDCount) !=
		adm.CompMultiPathRecordSGIDCount|adm.CompMultiPathRecordDGIDCount {
		q.status = adm.StatusFewComponents
		return
	}
	if multiPathHeader+(sources+dests)*len(ib.GID{}) > len(q.want) {
		q.status = adm.StatusNoResources
		return
	}
	var ends []*sm.EndPort
	for i := range sources + dests { // more than w holds, if they came in several segments
		gid := ib.GID(q.want[multiPathHeader+i*len(ib.GID{}):][:len(ib.GID{})])
		p := q.subnet.ByGUID(gid.GUID())
		if p == nil {
			q.status = adm.StatusInvalidGID
			return
		}
		ends = append(ends, p)
	}
	limit := 1
	if q.has(adm.CompMultiPathRecordNumPath) && w.NumPath > 0 {
		limit = int(w.NumPath)
	}
	path := q.pathQuery(&w)
	for _, from := range ends[:sources] {
		for _, to := range ends[sources:] {
			if !q.pair(from, to, path, limit) {
				return
			}
		}
	}
}

// pathQuery turns the query into one of PathRecords.
func (q *query) pathQuery(w *adm.MultiPathRecord) *adm.PathRecord {
	// The components MTUSelector … PktLife follow each other in both records.
	const six, shift = 1<<6 - 1, adm.CompPathRecordMTUSelector / adm.CompMultiPathRecordMTUSelector
	q.mask = (q.mask & (six * adm.CompMultiPathRecordMTUSelector)) * shift
	q.filter = nil
	q.size, q.stride = 64, 64
	return &adm.PathRecord{
		MTUSelector: w.MTUSelector, MTU: w.MTU, RateSelector: w.RateSelector, Rate: w.Rate,
		PktLifeSelector: w.PktLifeSelector, PktLife: w.PktLife,
	}
}
