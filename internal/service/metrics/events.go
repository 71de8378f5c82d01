package metrics

import (
	"time"

	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/event"
)

// eventFamilies count what happened since the service began.
var eventFamilies = families{
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

// flaps are those of all links, not only of those that flapped: Prometheus sees no
// increase in a series that begins with 1.
var flaps = &family{
	name: "ibscope_port_flaps_total", kind: counter, labels: portLabels,
	help: "How often the link of the port went down and up again since the service began. It counts at both ends.",
	write: perPort(func(w *writer, v *view, p *portView) {
		if n := v.tally.flaps[p.key()]; p.peer != nil || n > 0 {
			w.uint(p.labels, n)
		}
	}),
}

// eventKinds are all kinds, so that each is 0 before its first event.
var eventKinds = []event.Kind{
	event.LinkDown, event.LinkUp, event.LinkAdded, event.LinkMoved, event.LinkFlap, event.FlapEnded,
	event.WidthLost, event.SpeedLost, event.RateRestored, event.ErrorsHigh, event.ErrorsEnded, event.CounterReset,
	event.NodeAppeared, event.NodeVanished, event.NodeReplaced, event.NodeMoved, event.NodeRenamed, event.NodeRebooted,
	event.LIDChanged, event.ManagerChange, event.FabricLost, event.FabricBack,
}

func (p *portView) key() total.Key { return total.Key{Node: p.Node().GUID(), Num: p.Num()} }

// tally are the events of a fabric, counted.
type tally struct {
	kinds map[event.Kind]uint64
	last  map[event.Kind]time.Time
	flaps map[total.Key]uint64
}

// maxFlaps is how many ports of a fabric are remembered to have flapped.
const maxFlaps = 1 << 20

func newTally() *tally {
	return &tally{kinds: map[event.Kind]uint64{}, last: map[event.Kind]time.Time{}, flaps: map[total.Key]uint64{}}
}

func (t *tally) add(e *event.Event) {
	t.kinds[e.Kind]++
	t.last[e.Kind] = e.Time
	if e.Kind != event.LinkFlap {
		return
	}
	for _, end := range []event.End{e.At, e.To} {
		key := total.Key{Node: end.GUID, Num: end.Port}
		if _, known := t.flaps[key]; end.GUID != 0 && (known || len(t.flaps) < maxFlaps) {
			t.flaps[key] += max(1, e.Count)
		}
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
