package sa

import (
	"slices"

	"github.com/ibscope/ibscope/mad"
	adm "github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/sim"
)

// subscription is who wants to know what.
type subscription struct {
	record adm.InformInfoRecord
	to     sim.Request // where reports go: to the sender of this
}

// subscribe: Subscribe 1 begins, 0 ends a subscription of who sends it.
func (q *query) subscribe() {
	var v adm.InformInfo
	v.Decode((*[36]byte)(q.want))
	p := q.subnet.ByLID(q.request.From.LID)
	switch {
	case v.Subscribe > 1 || v.IsGeneric > 1:
		q.status = adm.StatusRequestInvalid
		return
	case p == nil:
		q.status = adm.StatusInvalidGID
		return
	}
	record := adm.InformInfoRecord{SubscriberGID: q.gid(p), Inform: v.InformInfo}
	record.Inform.Subscribe = 1
	if v.QPN == 0 {
		record.Inform.QPN = mad.QPGeneral
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	same := func(s subscription) bool { return sameSubscription(&s.record, &record) }
	i := slices.IndexFunc(q.subscribed, same)
	switch {
	case v.Subscribe == 0 && i < 0:
		q.status = adm.StatusRequestInvalid
		return
	case v.Subscribe == 0:
		q.subscribed = slices.Delete(q.subscribed, i, i+1)
	case i >= 0:
		q.subscribed[i].to = q.request // the program may be another one
	case len(q.subscribed) >= maxSubscriptions:
		q.status = adm.StatusNoResources
		return
	default:
		record.SubscriberEnum = q.freeEnum(&record)
		q.subscribed = append(q.subscribed, subscription{record, q.request})
	}
	q.filter = nil
	q.encode(&v)
}

// freeEnum is the lowest number that no subscription of the subscriber has.
func (d *database) freeEnum(r *adm.InformInfoRecord) (n uint16) {
	for slices.ContainsFunc(d.subscribed, func(s subscription) bool {
		return s.record.SubscriberGID == r.SubscriberGID && s.record.SubscriberEnum == n
	}) {
		n++
	}
	return n
}

func sameSubscription(a, b *adm.InformInfoRecord) bool {
	x, y := a.Inform, b.Inform
	x.RespTimeValue, y.RespTimeValue = 0, 0
	return a.SubscriberGID == b.SubscriberGID && x == y
}

// subscriptions: all that there are.
func (q *query) subscriptions() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, s := range q.subscribed {
		if !q.encode(&s.record) {
			return
		}
	}
}
