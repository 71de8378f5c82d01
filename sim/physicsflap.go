package sim

import (
	"time"
)

// flap is a cable that comes and goes.
type flap struct {
	at     *port
	period time.Duration
	up     time.Duration // of each period, from its start
	isDown bool
	downs  int64 // how often it went down so far
}

func newFlap(at *port, p *Part) flap {
	share := p.Up
	if share == 0 {
		share = 0.5
	}
	return flap{at: at, period: p.Period, up: max(time.Duration(share*float64(p.Period)), 1)}
}

// until brings the flap to a time: whether it goes down (and maybe up again)
// before then, whether it is up then, and when it changes next.
func (f *flap) until(now time.Duration) (goesDown, goesUp bool, next time.Duration) {
	nth := int64(now / f.period)
	start := time.Duration(nth) * f.period
	downs, isDown := nth, false
	next = start + f.up
	if now >= next {
		downs, isDown = nth+1, true
		next = start + f.period
	}
	goesDown = downs > f.downs
	goesUp = !isDown && (goesDown || f.isDown)
	f.downs, f.isDown = downs, isDown
	return goesDown, goesUp, next
}

// flapUntil lets the cables come and go as they do until now.
func (ph *physics) flapUntil(now time.Duration) {
	if len(ph.flaps) == 0 || int64(now) < ph.nextFlap.Load() {
		return
	}
	var downs, ups []Place
	ph.flapping.Lock()
	earliest := time.Duration(1<<63 - 1)
	for i := range ph.flaps {
		f := &ph.flaps[i]
		goesDown, goesUp, next := f.until(now)
		if goesDown {
			downs = append(downs, f.at.place())
		}
		if goesUp {
			ups = append(ups, f.at.place())
		}
		earliest = min(earliest, next)
	}
	ph.nextFlap.Store(int64(earliest))
	ph.flapping.Unlock()
	// Without the lock: who gets a trap of it may send at once.
	for _, at := range downs {
		_ = ph.sim.LinkDown(at)
	}
	for _, at := range ups {
		_ = ph.sim.LinkUp(at)
	}
}
