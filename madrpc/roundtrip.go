package madrpc

import (
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// Bounds of how long a try waits for its reply before the next one goes out. The
// agents of real devices answer within some tens of microseconds, but firmware may
// take tens of milliseconds now and then, and so may this machine to run us.
const (
	leastTimeout    = 20 * time.Millisecond
	mostTimeout     = 250 * time.Millisecond // further tries double up to it
	leastUsual      = time.Millisecond       // after which a try counts as lost for the window
	unknownTimeout  = 100 * time.Millisecond // while nothing has answered
	mostLeast       = 500 * time.Millisecond // what leastTimeout may grow to
	samplesPerDecay = 256
)

// roundTrips estimates how long replies take, as RFC 6298 does for TCP: a smooth
// mean and deviation, for each kind of destination. Distance is what makes kinds of
// directed requests; the classes make those of others.
type roundTrips struct {
	kinds [int(ib.MaxHops) + 1 + 256]estimate
	least time.Duration // what leastTimeout has become, because replies were late
	calm  int           // samples since then
}

// estimate is what is known of one kind.
type estimate struct {
	mean, deviation time.Duration
	shortest        time.Duration // 0: there is no sample
}

// kindOf is the kind of a request.
func kindOf(p *mad.Packet) int {
	if p.Class() == mad.ClassSubnDirected {
		return min(int(p.HopCount()), ib.MaxHops)
	}
	return ib.MaxHops + 1 + int(p.Class())
}

// note takes a round trip.
func (e *estimate) note(trip time.Duration) {
	trip = max(trip, 1)
	if e.shortest == 0 {
		*e = estimate{mean: trip, deviation: trip / 2, shortest: trip}
		return
	}
	e.shortest = min(e.shortest, trip)
	off := trip - e.mean
	e.mean += off / 8
	if off < 0 {
		off = -off
	}
	e.deviation += (off - e.deviation) / 4
}

// note takes a round trip of a kind.
func (t *roundTrips) note(kind int, trip time.Duration) {
	t.kinds[kind].note(trip)
	if t.calm++; t.calm >= samplesPerDecay {
		t.calm = 0
		t.least = max(t.least/2, leastTimeout)
	}
}

// tooEarly learns from a reply to a try after which another one was sent for
// nothing: replies may take that long.
func (t *roundTrips) tooEarly(trip time.Duration) {
	t.calm = 0
	t.least = min(max(t.least, trip+trip/2), mostLeast)
}

// timeout is how long the first try of a kind waits.
func (t *roundTrips) timeout(kind int) time.Duration { return max(t.usual(kind), t.least) }

// usual is the time within which replies of a kind come, almost always. A kind
// without a sample has the estimate of the nearest shorter way.
func (t *roundTrips) usual(kind int) time.Duration {
	e := &t.kinds[kind]
	for i := min(kind, ib.MaxHops); e.shortest == 0 && i > 0 && kind <= ib.MaxHops; {
		i--
		e = &t.kinds[i]
	}
	if e.shortest == 0 {
		return unknownTimeout
	}
	return max(e.mean+4*e.deviation, leastUsual)
}

// isLong reports whether a round trip is one of those that come about when
// requests wait for each other.
func (t *roundTrips) isLong(kind int, trip time.Duration) bool {
	return trip > longTrips*t.kinds[kind].shortest+longSlack
}

// An agent that holds longTrips requests makes the last one wait that many times as
// long as the first. Less than longSlack may be the machine's own doing.
const (
	longTrips = 8
	longSlack = 50 * time.Microsecond
)
