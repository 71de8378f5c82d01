package sa

import (
	"slices"
	"sync"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/gs"
	adm "github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/sm"
)

// Bounds of the reports that wait for a ReportResp.
const (
	maxReports       = 1 << 14
	maxReportResends = 3
)

// reports are the notices on their way to subscribers (IBA vol. 1, 13.4.11).
type reports struct {
	mu      sync.Mutex
	isEnded bool
	lastTID uint64
	open    map[uint64]*report
}

// report is one that is repeated until its subscriber says that it has it.
type report struct {
	to      sim.Request
	packet  mad.Packet
	resends int
	timer   *time.Timer
}

// report passes a notice on to those who have subscribed to its kind. What a
// port has subscribed to ends when it leaves the subnet.
func (a *Agent) report(s *sm.Subnet, n *gs.Notice) {
	d := a.databaseOf(s)
	for _, sub := range d.subscribersOf(n) {
		if !a.reports.send(sub.to, n) {
			d.endSubscriptions(func(r *adm.InformInfoRecord) bool { return sameSubscription(r, &sub.record) })
		}
	}
	if gid, ok := sm.AboutGID(n); ok && n.TrapNumber == smp.TrapGIDOutOfService {
		d.endSubscriptions(func(r *adm.InformInfoRecord) bool { return r.SubscriberGID == gid })
	}
}

// subscribersOf lists the subscriptions that a notice matches, one for each
// subscriber.
func (d *database) subscribersOf(n *gs.Notice) (list []subscription) {
	d.mu.Lock()
	defer d.mu.Unlock()
	seen := map[ib.GID]bool{}
	for _, s := range d.subscribed {
		if !seen[s.record.SubscriberGID] && matches(&s.record.Inform, n) {
			seen[s.record.SubscriberGID] = true
			list = append(list, s)
		}
	}
	return list
}

func (d *database) endSubscriptions(which func(*adm.InformInfoRecord) bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.subscribed = slices.DeleteFunc(d.subscribed, func(s subscription) bool { return which(&s.record) })
}

// Values of InformInfo that stand for everything.
const (
	allLIDs      = 0xffff
	allTypes     = 0xffff
	allTraps     = 0xffff
	allProducers = 0xffffff
)

// matches compares a notice with what was subscribed to (13.4.8.3). The GID of
// the source counts where it is given, the range of LIDs elsewhere.
func matches(v *gs.InformInfo, n *gs.Notice) bool {
	switch {
	case (v.IsGeneric == 1) != n.IsGeneric,
		v.Type != allTypes && v.Type != uint16(n.Type),
		v.TrapNumber != allTraps && v.TrapNumber != n.TrapNumber,
		v.ProducerType != allProducers && v.ProducerType != n.ProducerType:
		return false
	case !v.GID.IsZero():
		return v.GID == n.IssuerGID
	case v.LIDRangeBegin == allLIDs:
		return true
	}
	return v.LIDRangeBegin <= n.IssuerLID && n.IssuerLID <= max(v.LIDRangeBegin, v.LIDRangeEnd)
}

// send reports a notice to a subscriber; false if nobody is there any more. With
// too many reports under way it is sent once.
func (r *reports) send(to sim.Request, n *gs.Notice) bool {
	x := &report{to: to}
	m := &x.packet
	m.Init(mad.ClassSubnAdm, mad.MethodReport, adm.AttrNotice, 0)
	b, err := (&adm.Notice{Notice: *n}).AppendBinary(nil)
	if err != nil {
		return true // structs of package mad/sa never fail
	}
	copy(m.Data(), b)
	r.mu.Lock()
	r.lastTID++
	tid := r.lastTID
	m.SetTID(tid)
	if !r.isEnded && len(r.open) < maxReports {
		if r.open == nil {
			r.open = map[uint64]*report{}
		}
		r.open[tid] = x
		x.timer = time.AfterFunc(resendAfter, func() { r.again(tid) })
	}
	packet := *m
	r.mu.Unlock()
	if to.Reply(&packet) {
		return true
	}
	r.finish(tid)
	return false
}

// again repeats a report that was not answered.
func (r *reports) again(tid uint64) {
	r.mu.Lock()
	x := r.open[tid]
	if x == nil {
		r.mu.Unlock()
		return
	}
	if x.resends++; x.resends >= maxReportResends {
		delete(r.open, tid)
	} else {
		x.timer.Reset(resendAfter)
	}
	packet := x.packet
	r.mu.Unlock()
	if !x.to.Reply(&packet) {
		r.finish(tid)
	}
}

// finish ends the repetition of a report.
func (r *reports) finish(tid uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if x := r.open[tid]; x != nil {
		x.timer.Stop()
		delete(r.open, tid)
	}
}

// answered is a ReportResp.
func (r *reports) answered(from *sim.Port, m *mad.Packet) {
	r.mu.Lock()
	x := r.open[m.TID()]
	isTheirs := x != nil && x.to.Sender == from
	r.mu.Unlock()
	if isTheirs {
		r.finish(m.TID())
	}
}

// end stops all.
func (r *reports) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isEnded = true
	for _, x := range r.open {
		x.timer.Stop()
	}
	clear(r.open)
}
