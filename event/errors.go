package event

import (
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/watch"
)

// portErrors are the counters of errors of a port that have counted of late.
type portErrors struct {
	counters map[counters.Counter]*errorWindow
	read     time.Time
}

// errorWindow is what one counter has counted within the window.
type errorWindow struct {
	parts []errorPart // the oldest first
	told  bool
	id    uint64
}

type errorPart struct {
	at time.Time
	n  uint64
}

// windowParts is in how many parts a window slides on.
const windowParts = 60

// portErrors takes in what a port has counted in an interval, and tells of counters that
// count more than their thresholds allow within a window, and of those that do not any
// more: that have come down to half of it.
func (d *Detector) portErrors(p *total.Port) {
	k := portKey{p.Node, p.Num}
	own := d.errors[k]
	for c := range (p.Rated & d.opts.Limits.Watched()).All() {
		n := p.Added[c]
		if n == 0 && (own == nil || own.counters[c] == nil) {
			continue
		}
		if own == nil {
			own = &portErrors{counters: map[counters.Counter]*errorWindow{}}
			d.errors[k] = own
		}
		w := own.counters[c]
		if w == nil {
			w = &errorWindow{}
			own.counters[c] = w
		}
		w.count(p.At, n, d.opts.ErrorWindow)
		d.judge(k, c, w, p)
		if len(w.parts) == 0 && !w.told {
			delete(own.counters, c)
		}
	}
	if own != nil {
		own.read = p.At
		if len(own.counters) == 0 {
			delete(d.errors, k)
		}
	}
}

// count moves the window on.
func (w *errorWindow) count(at time.Time, n uint64, window time.Duration) {
	for len(w.parts) > 0 && !w.parts[0].at.After(at.Add(-window)) {
		w.parts = w.parts[1:]
	}
	if n == 0 {
		return
	}
	if last := len(w.parts) - 1; last >= 0 && at.Sub(w.parts[last].at) < window/windowParts {
		w.parts[last].n += n
		return
	}
	w.parts = append(w.parts, errorPart{at, n})
}

func (w *errorWindow) sum() (n uint64) {
	for _, p := range w.parts {
		n += p.n
	}
	return n
}

func (d *Detector) judge(k portKey, c counters.Counter, w *errorWindow, p *total.Port) {
	limit, _ := d.opts.Limits.Of(c)
	sum := w.sum()
	e := Event{
		Kind: ErrorsHigh, Since: p.At.Add(-p.Interval), At: End{GUID: k.node, Port: k.num},
		Field: c.String(), Count: sum, How: string(watch.Counting),
	}
	if q := d.find(k); q != nil {
		e.At, e.To = d.port(q), d.port(q.Remote())
	}
	switch {
	case !w.told && sum > limit:
		w.told = true
		d.remember(&w.id, e)
	case w.told && sum <= limit/2:
		w.told = false
		e.Kind, e.Again = ErrorsEnded, w.id
		d.add(e)
	}
}

// forgetErrors drops ports that have not been read for two windows.
func (d *Detector) forgetErrors() {
	for k, own := range d.errors {
		if d.now.Sub(own.read) > 2*d.opts.ErrorWindow {
			delete(d.errors, k)
		}
	}
}

// settle tells what is known when sweep and pass are taken in.
func (d *Detector) settle() {
	d.settleReboots()
	d.settleCounted()
	d.settleFlaps()
	d.settleResets()
	d.forgetErrors()
}
