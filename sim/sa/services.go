package sa

import (
	"slices"
	"time"

	adm "github.com/ibscope/ibscope/mad/sa"
)

// forever is a lease without end.
const forever = 0xffffffff

// expire forgets the services whose lease is over. The caller holds the lock.
func (d *database) expire() {
	now := time.Now()
	d.offers = slices.DeleteFunc(d.offers, func(s service) bool { return !s.ends.IsZero() && !now.Before(s.ends) })
}

// services: those that are registered. The key is nobody's business.
func (q *query) services() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.expire()
	for _, s := range q.offers {
		record := s.record
		if !s.ends.IsZero() {
			record.Lease = uint32((time.Until(s.ends) + time.Second - 1) / time.Second)
		}
		if !q.has(adm.CompServiceRecordKey) {
			record.Key = [16]byte{}
		}
		if !q.encode(&record) {
			return
		}
	}
}

// serviceComponents is what identifies a service (15.2.5.14).
const serviceComponents = adm.CompServiceRecordID | adm.CompServiceRecordGID | adm.CompServiceRecordPKey

func (q *query) service() (v adm.ServiceRecord) {
	v.Decode((*[176]byte)(q.want))
	return v
}

func sameService(a, b *adm.ServiceRecord) bool {
	return a.ID == b.ID && a.GID == b.GID && a.PKey == b.PKey
}

// register adds or replaces a service.
func (q *query) register() {
	v := q.service()
	if q.mask&serviceComponents != serviceComponents {
		q.status = adm.StatusFewComponents
		return
	}
	if q.subnet.ByGUID(v.GID.GUID()) == nil {
		q.status = adm.StatusInvalidGID
		return
	}
	if !q.has(adm.CompServiceRecordLease) || v.Lease == 0 {
		v.Lease = forever
	}
	s := service{record: v}
	if v.Lease != forever {
		s.ends = time.Now().Add(time.Duration(v.Lease) * time.Second)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.expire()
	i := slices.IndexFunc(q.offers, func(o service) bool { return sameService(&o.record, &v) })
	switch {
	case i >= 0 && q.offers[i].record.Key != v.Key:
		q.status = adm.StatusRequestInvalid
		return
	case i >= 0:
		q.offers[i] = s
	case len(q.offers) >= maxServices:
		q.status = adm.StatusNoResources
		return
	default:
		q.offers = append(q.offers, s)
	}
	q.filter = nil
	q.encode(&v)
}

// unregister removes a service; it answers the record that was there.
func (q *query) unregister() {
	v := q.service()
	if q.mask&serviceComponents != serviceComponents {
		q.status = adm.StatusFewComponents
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.expire()
	i := slices.IndexFunc(q.offers, func(o service) bool {
		return sameService(&o.record, &v) && (o.record.Key == [16]byte{} || o.record.Key == v.Key)
	})
	if i < 0 {
		q.status = adm.StatusNoRecords
		return
	}
	record := q.offers[i].record
	q.offers = slices.Delete(q.offers, i, i+1)
	q.filter = nil
	q.encode(&record)
}
