package event

import (
	"time"

	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/watch"
)

// A Detector finds out what has happened in one fabric, from one State of it to the
// next. It remembers what it has told: each thing is told once, and what a State does
// not know for want of an answer is as it was.
//
// It belongs to one goroutine. Its memory is bounded by the size of the fabric and by
// the windows of its Options.
type Detector struct {
	opts Options

	begun bool
	base  *fabric.Fabric // what is known, completed by what was known before
	last  *fabric.Fabric // of the last State, as it came
	sweep sweep          // the last one
	table *total.Table
	pass  int // passes so far

	tableBefore time.Time // when the pass before that of table ended

	number int // of the State of this Next

	out  []Event   // of this Next
	refs []*uint64 // what wants the IDs of the events that Next gave last
	now  time.Time
	how  string
	name string

	nodes    map[ib.GUID]*goneNode
	links    map[linkKey]*linkState
	downAt   map[portKey]*linkState // links that are down, by their ends
	idle     map[linkKey]*idleLink
	lids     map[portKey]ib.LID // of ports that have lost theirs
	resets   map[ib.GUID]*nodeResets
	errors   map[portKey]*portErrors
	manager  managerState
	lost     bool
	lostID   uint64
	rebooted map[ib.GUID]*reboot      // nodes that were told to have been rebooted
	devices  map[ib.GUID]watch.Device // of the last State
}

// sweep is when a sweep was at work.
type sweep struct {
	count int
	state int // the number of the State that it began with
	span
}

// NewDetector makes a Detector that knows nothing yet.
func NewDetector(o *Options) *Detector {
	return &Detector{
		opts: o.withDefaults(), nodes: map[ib.GUID]*goneNode{}, links: map[linkKey]*linkState{},
		downAt: map[portKey]*linkState{}, idle: map[linkKey]*idleLink{}, lids: map[portKey]ib.LID{},
		resets: map[ib.GUID]*nodeResets{}, errors: map[portKey]*portErrors{}, rebooted: map[ib.GUID]*reboot{},
	}
}

// Next gives what has happened from one State to the next, in the order of causes. The
// States of a fabric come in order; those that a reader has missed in between do not
// matter. Old counts the first time only, nil or without a fabric for nothing known: then
// new is what all begins with, and nothing has happened. A stored old State is as good as
// any other: what is different from it has happened since.
//
// The events have no IDs yet. Give the very slice to Log.Add, and nothing else, before
// Next is called again: it reads the IDs there, for later events that follow on these.
func (d *Detector) Next(old, new *watch.State) []Event {
	d.readBack()
	if !d.begun {
		d.begin(old)
	}
	d.name, d.how, d.now, d.number = new.Name, string(new.Cause), timeOf(new), new.Number
	d.connection(new)
	if new.Connected || new.Stored {
		d.sweepDone(new)
	}
	d.passDone(new)
	d.settle()
	d.devices = new.Devices
	return d.out
}

// begin takes in what is known before anything happens.
func (d *Detector) begin(old *watch.State) {
	d.begun = true
	if old == nil {
		return
	}
	d.lost = !old.Connected && !old.Lost.IsZero()
	if old.Fabric != nil {
		d.now = timeOf(old)
		d.sweep = sweepOf(old)
		d.adopt(old.Fabric)
		d.beginManager(old)
	}
	d.table = old.Totals
	d.devices = old.Devices
}

// adopt makes a fabric the one that is known, without events.
func (d *Detector) adopt(f *fabric.Fabric) {
	d.base, d.last = f, f
	for l := range f.Links() {
		if !isActive(l) {
			d.idle[keyOf(l)] = &idleLink{told: true, span: d.sweep.span}
		}
	}
}

// timeOf is when a State came to be.
func timeOf(s *watch.State) time.Time {
	if !s.Since.IsZero() {
		return s.Since
	}
	t := s.At
	if s.Totals != nil && s.Totals.At.After(t) {
		t = s.Totals.At
	}
	return t
}

// sweepOf is the last sweep of a State.
func sweepOf(s *watch.State) sweep {
	last := s.Refresh
	if s.Verify.Started.After(last.Started) {
		last = s.Verify
	}
	w := sweep{count: s.Refresh.Count - s.Refresh.Failed + s.Verify.Count - s.Verify.Failed}
	if w.count == 0 { // a fabric from elsewhere
		w.span = span{s.At, s.At}
		return w
	}
	w.state = last.From
	w.span = span{last.Started, last.Started.Add(last.Duration)}
	return w
}

// sweepDone compares the fabric with what was known, if there was a sweep.
func (d *Detector) sweepDone(new *watch.State) {
	w := sweepOf(new)
	if new.Fabric == nil || w.count == d.sweep.count && new.Fabric == d.last {
		return
	}
	before := d.sweep
	d.sweep = w
	if d.base == nil {
		d.adopt(new.Fabric)
		d.beginManager(new)
		return
	}
	if new.Fabric != d.last {
		d.compare(complete(d.base, new.Fabric), span{before.from, w.to})
		d.last = new.Fabric
	}
	d.settleIdle()
	d.managers(new)
}

// add adds an event, and gives what stands for its ID. Remember keeps the ID.
func (d *Detector) add(e Event) uint64 {
	e.Time, e.Fabric = d.now, d.name
	if e.How == "" {
		e.How = d.how
	}
	e.Severity = severity(&e)
	d.out = append(d.out, e)
	return inBatch | uint64(len(d.out)-1)
}

// remember adds an event whose ID will be in id, for others that follow on it.
func (d *Detector) remember(id *uint64, e Event) {
	*id = d.add(e)
	d.refs = append(d.refs, id)
}

// readBack learns the IDs of the events of the last call.
func (d *Detector) readBack() {
	for _, id := range d.refs {
		if i := *id &^ inBatch; *id&inBatch != 0 && i < uint64(len(d.out)) {
			*id = d.out[i].ID
		}
	}
	d.refs, d.out = nil, nil
}
