package top

import (
	"context"
	"slices"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/watch"
)

// maxEvents is how many events the screen keeps.
const maxEvents = 500

// local makes frames of a fabric that this process reads itself.
type local struct {
	watcher  *watch.Watcher
	detector *event.Detector
	events   *event.Log
	name     namer
	show     func(*frame)
}

// newLocal takes over the options for its own Each.
func newLocal(o *watch.Options, own func(*fabric.Node) (string, bool), show func(*frame)) *local {
	l := &local{
		detector: event.NewDetector(&event.Options{Name: own}),
		events:   event.NewLog(maxEvents, 1),
		name:     nameBy(own), show: show,
	}
	o.Each = l.each
	l.watcher = watch.New(o)
	return l
}

// nameBy gives a node its name in a map, else its description, else its GUID.
func nameBy(own func(*fabric.Node) (string, bool)) namer {
	return func(n *fabric.Node) string {
		if own != nil {
			if name, ok := own(n); ok {
				return name
			}
		}
		if n.Description() != "" {
			return n.Description()
		}
		return n.GUID().String()
	}
}

// each is told each state of the fabric.
func (l *local) each(old, now *watch.State) {
	l.events.Add(l.detector.Next(old, now)...)
	events, _ := l.events.Since(0)
	slices.Reverse(events)
	l.show(ofState(now, events, l.name))
}

// run watches until the context ends, whose error it gives.
func (l *local) run(ctx context.Context) error { return l.watcher.Run(ctx) }

// paces are those of a screen: sweeps as a service makes them, counters as often as the
// user wants to see them.
func paces(o *watch.Options, interval time.Duration) {
	o.Counters = watch.Pace{Every: interval}
	o.Verify = watch.Pace{Every: -1}
}
