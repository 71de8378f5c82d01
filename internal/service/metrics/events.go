package metrics

import (
	"time"

	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/event"
)

// eventFamilies count what happened since the service began.
func eventFamilies() families {
	return families{
		{
			name: "ibscope_events_total", kind: counter, labels: "fabric,kind",
			help: "Events since the service began, by their kind.",
			write: func(w *writer, v *view) {
				for _, kind := range eventKinds {
					w.uint(v.ofFabric("kind", string(kind)), v.tally.kinds[kind])
				}
			},
		},
		{
			name: "ibscope_last_event_timestamp_seconds", kind: gauge, labels: "fabric,kind",
			help: "When the last event of a kind was seen; absent where there was none.",
			write: func(w *writer, v *view) {
				for _, kind := range eventKinds {
					writeTime(w, v.ofFabric("kind", string(kind)), v.tally.last[kind])
				}
			},
		},
	}
}

// fallFamilies tell of links that go down. They are there for all links, not only for
// those that did: Prometheus sees no increase in a series that begins with 1.
func fallFamilies() families {
	return families{
		{
			name: "ibscope_port_flapping", kind: gauge, labels: portLabels,
			help: "1 while the link of the port flaps: it has gone down several times, and has not been up for a while since.",
			write: perPort(func(w *writer, v *view, p *portView) {
				if f := v.tally.links[p.key()]; p.peer != nil || f.flapping {
					w.flag(p.labels, f.flapping)
				}
			}),
		},
		{
			name: "ibscope_port_falls_total", kind: counter, labels: portLabels,
			help: "How often the link of the port went down since the service began, as its events tell. Those of a link that flaps are added when it is done.",
			write: perPort(func(w *writer, v *view, p *portView) {
				if f := v.tally.links[p.key()]; p.peer != nil || f.falls > 0 {
					w.uint(p.labels, f.falls)
				}
			}),
		},
	}
}

// eventKinds are all kinds, so that each is 0 before its first event.
var eventKinds = event.Kinds()

func (p *portView) key() total.Key { return total.Key{Node: p.Node().GUID(), Num: p.Num()} }

// tally are the events of a fabric, counted.
type tally struct {
	kinds map[event.Kind]uint64
	last  map[event.Kind]time.Time
	links map[total.Key]linkTally // by the ports at both ends
}

// linkTally are the falls of a link.
type linkTally struct {
	falls    uint64
	flapping bool
}

// maxLinks is how many ends of links of a fabric are remembered to have gone down.
const maxLinks = 1 << 20

func newTally() *tally {
	return &tally{kinds: map[event.Kind]uint64{}, last: map[event.Kind]time.Time{}, links: map[total.Key]linkTally{}}
}

func (t *tally) add(e *event.Event) {
	t.kinds[e.Kind]++
	t.last[e.Kind] = e.Time
	falls := e.Falls()
	begins, ends := e.Flap()
	if falls == 0 && !ends {
		return
	}
	for _, end := range []event.End{e.At, e.To} {
		key := total.Key{Node: end.GUID, Num: end.Port}
		link, known := t.links[key]
		if end.GUID == 0 || !known && len(t.links) >= maxLinks {
			continue
		}
		link.falls += falls
		link.flapping = begins || link.flapping && !ends
		t.links[key] = link
	}
}

// A follower counts the events of a log. It belongs to one goroutine at a time.
type follower struct {
	log     *event.Log // nil: there are no events
	after   uint64
	missed  uint64 // events that were gone before they were counted
	fabrics map[string]*tally
}

// newFollower begins with the events that the log holds.
func newFollower(log *event.Log) *follower {
	f := &follower{log: log, fabrics: map[string]*tally{}}
	if log != nil {
		f.take(log.Since(0))
		f.missed = 0
	}
	return f
}

// follow counts what happened since the last call, and tells whether anything did.
func (f *follower) follow() bool {
	if f.log == nil || f.log.Last() == f.after {
		return false
	}
	f.take(f.log.Since(f.after))
	return true
}

func (f *follower) take(events []event.Event, missed uint64) {
	f.missed += missed
	f.after += missed
	for i := range events {
		f.of(events[i].Fabric).add(&events[i])
		f.after = events[i].ID
	}
}

// of is the tally of a fabric.
func (f *follower) of(name string) *tally {
	t := f.fabrics[name]
	if t == nil {
		t = newTally()
		f.fabrics[name] = t
	}
	return t
}
