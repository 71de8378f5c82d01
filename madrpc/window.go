package madrpc

import (
	"time"

	"github.com/ibscope/ibscope/mad"
)

// The bounds and defaults of Options.
const (
	defaultTimeout   = time.Second          // of requests that must not be repeated early
	maxTimeout       = 365 * 24 * time.Hour // keeps deadlines from overflowing
	defaultRetries   = 3
	maxOutstanding   = 1 << 16
	defaultPerTarget = 4
	defaultDeadline  = 10 * time.Second // of requests that adapt
	leastPatience    = time.Second      // that a request waits in all tries together

	firstBackoff = 10 * time.Millisecond
)

// policy decides how much may be in flight, how long a try may take, and how many
// there are. It is the only place that does; the rest of the client asks it. What
// Options give is fixed; the rest adapts to what the fabric does.
type policy struct {
	timeout   time.Duration // of each try; 0: adapts
	tries     int           // of one request; 0: adapts
	window    int           // 0: adapts
	perTarget int           // 0: no limit
	deadline  time.Duration // of a request, from its first try; 0: none given

	trips      roundTrips
	losses     lossRate
	congestion congestion
}

func newPolicy(o *Options) policy {
	p := policy{
		timeout:    min(max(o.Timeout, 0), maxTimeout),
		window:     min(max(o.MaxOutstanding, 0), maxOutstanding),
		perTarget:  max(o.MaxPerTarget, 0),
		deadline:   min(max(o.Deadline, 0), maxTimeout),
		trips:      roundTrips{least: leastTimeout},
		congestion: newCongestion(),
	}
	if o.Retries != 0 {
		p.tries = 1 + max(o.Retries, 0)
	}
	if o.MaxPerTarget == 0 {
		p.perTarget = defaultPerTarget
	}
	return p
}

// limit is how many requests may be in flight at once.
func (p *policy) limit() int {
	if p.window > 0 {
		return p.window
	}
	return int(p.congestion.size)
}

// maxOpen is the most requests that are ever in flight.
func (p *policy) maxOpen() int {
	if p.window > 0 {
		return p.window
	}
	return 2 * mostWindow
}

// room is how many more requests may be sent for the first time beside opened
// others, of which again have lost a try. Those count for themselves where the
// window adapts: what is dead must not keep others waiting.
func (p *policy) room(opened, again int) int {
	if p.window > 0 {
		return p.window - opened
	}
	return min(p.limit()-(opened-again), p.maxOpen()-opened)
}

// mayFlyAgain reports whether one more request that has lost a try may be sent
// beside flying others.
func (p *policy) mayFlyAgain(flying int) bool {
	return p.window > 0 || flying < max(p.limit(), mostAgain)
}

func (p *policy) limitsTargets() bool { return p.perTarget > 0 }

// mayAdmit reports whether a target takes another request beside n others.
func (p *policy) mayAdmit(n int) bool { return n < p.perTarget }

// adapts reports whether the timeout of r may follow from that of others. Only
// what reads may be repeated while the agent may still be at it; and only agents
// that answer from what they have at hand do so in a time that is like that of
// others.
func (p *policy) adapts(r *Request) bool {
	if p.timeout > 0 || r.Timeout > 0 || r.transfer != nil || r.Packet.Method() != mad.MethodGet {
		return false
	}
	class := r.Packet.Class()
	return class.IsSMP() || class == mad.ClassPerf
}

// deadlineOf is how long r may take from its first try on, never for no limit.
func (p *policy) deadlineOf(r *Request) time.Duration {
	switch {
	case p.deadline > 0:
		return p.deadline
	case r.adapts:
		return defaultDeadline
	}
	return never
}

// tryTimeout is how long the next try of r waits for a reply. The last one waits
// until the request has had a second in all.
func (p *policy) tryTimeout(r *Request, now time.Duration) time.Duration {
	switch {
	case r.Timeout > 0:
		return min(r.Timeout, maxTimeout)
	case p.timeout > 0:
		return p.timeout
	case !r.adapts:
		return defaultTimeout
	}
	first := p.trips.timeout(kindOf(&r.Packet))
	timeout := min(first<<min(r.Tries, 8), max(mostTimeout, first))
	if !p.hasTries(r, r.Tries+1) {
		timeout = max(timeout, r.began+leastPatience-now)
	}
	return timeout
}

// usual is how long the reply to r is usually under way, at most.
func (p *policy) usual(r *Request) time.Duration { return p.trips.usual(kindOf(&r.Packet)) }

// mayHurry reports whether a second try may go out when the reply to the first one
// is later than usual: not where such replies came after all.
func (p *policy) mayHurry() bool { return p.trips.least == leastTimeout }

// hold is how long a transport that tracks requests should keep one for which we
// wait for the given time. A reply to an earlier try still counts, so it holds
// those that adapt to the end.
func (p *policy) hold(r *Request, timeout, now time.Duration) time.Duration {
	if r.adapts {
		return max(r.last-now, timeout)
	}
	return timeout
}

// mayRetry reports whether r may be sent once more.
func (p *policy) mayRetry(r *Request, now time.Duration) bool {
	return now < r.last && p.hasTries(r, r.Tries)
}

// hasTries reports whether r may be sent once more after n tries.
func (p *policy) hasTries(r *Request, n int) bool {
	switch {
	case p.tries > 0:
		return n < p.tries
	case r.adapts:
		return n < leastTries || n < p.losses.enough(r.Proven)
	}
	return n < 1+defaultRetries
}

// backoff is how long to leave a busy agent alone before r's next try: 10 ms,
// doubled for each try, at most one timeout.
func (p *policy) backoff(r *Request, now time.Duration) time.Duration {
	return min(firstBackoff<<min(r.Tries-1, 10), p.tryTimeout(r, now))
}

// answered learns from a reply to r that took trip, after lost tries without one.
// The first try of r was sent at began. A reply that came after one more try was
// sent shows that we were too early.
func (p *policy) answered(r *Request, trip time.Duration, lost int, early bool, now time.Duration) {
	kind := kindOf(&r.Packet)
	p.trips.note(kind, trip)
	if early {
		p.trips.tooEarly(trip)
		return
	}
	p.losses.note(lost)
	if lost > 0 {
		p.congestion.lost(r.began, now)
	} else {
		p.congestion.long = p.trips.isLong(kind, trip)
		p.congestion.answered()
	}
}

// repeated learns from a reply to one of several tries of r, nobody knows which.
func (p *policy) repeated(r *Request, now time.Duration) {
	p.losses.note(r.Tries - 1)
	p.congestion.lost(r.began, now)
}

// hasMeasured reports whether a round trip like that of r was measured before.
func (p *policy) hasMeasured(r *Request) bool { return p.trips.kinds[kindOf(&r.Packet)].shortest > 0 }

// answeredAsBefore learns from a reply to a first try that was not measured.
func (p *policy) answeredAsBefore() {
	p.losses.note(0)
	p.congestion.answered()
}
