package api

import (
	"sync"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// port names a port of a fabric.
type port struct {
	fabric string
	node   ib.GUID
	num    int
}

// flap is what events tell of a port's link.
type flap struct {
	now   bool // it flaps
	count uint64
	last  time.Time
}

// flapping follows the events that tell of links that go down and up.
type flapping struct {
	mu   sync.Mutex
	read uint64 // ID of the last event that was looked at
	of   map[port]*flap
}

// maxFlapping bounds the ports that are kept: beyond them the quiet ones are forgotten.
const maxFlapping = 100_000

// flapsOf is what events tell of the link of a port.
func (a *API) flapsOf(fabricName string, p *fabric.Port) flap {
	a.flaps.mu.Lock()
	defer a.flaps.mu.Unlock()
	if f := a.flaps.of[port{fabricName, p.Node().GUID(), p.Num()}]; f != nil {
		return *f
	}
	return flap{}
}

// flappingLinks counts the links of a fabric that flap.
func (a *API) flappingLinks(fabricName string, x *index) (n int) {
	for _, l := range x.links {
		if a.flapsOf(fabricName, l.A).now {
			n++
		}
	}
	return n
}

// follow looks at the events since the last time.
func (f *flapping) follow(log *event.Log) {
	f.mu.Lock()
	defer f.mu.Unlock()
	events, _ := log.Since(f.read)
	for i := range events {
		f.read = events[i].ID
		f.see(&events[i])
	}
	if len(f.of) > maxFlapping {
		for key, one := range f.of {
			if !one.now {
				delete(f.of, key)
			}
		}
	}
}

func (f *flapping) see(e *event.Event) {
	begins, ends := e.Flap()
	falls := e.Falls()
	if falls == 0 && !begins && !ends {
		return
	}
	for _, end := range []event.End{e.At, e.To} {
		if end.GUID == 0 || end.Port < 0 {
			continue
		}
		key := port{e.Fabric, end.GUID, end.Port}
		one := f.of[key]
		if one == nil {
			one = &flap{}
			f.of[key] = one
		}
		one.now = begins || one.now && !ends
		if falls > 0 {
			one.count += falls
			one.last = e.Time
		}
	}
}
