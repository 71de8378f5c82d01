package total

import (
	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// entry is what is known of a port between two readings.
type entry struct {
	raw   [counters.NumCounters]uint64 // as the port told them last
	has   counters.Set                 // that have a last value
	wide  counters.Set                 // of 64 bits
	fresh counters.Set                 // that were in the last reading
	full  counters.Set                 // that stood at the end of their field in it
	wraps bool                         // counters of 32 bits were seen to begin anew at their end
	pass  uint64                       // in which it was read last
	port  *Port                        // as it stands in the next table

	// divided are the counters that divisions divide, as they were when these were read.
	divided [len(divisions)][2]uint64
}

// read makes p, a copy of the entry's port, what it is after a reading. The link can
// carry that many bytes in a second, 0 if that is not known.
func (e *entry) read(p *Port, s *counters.Sample, limit float64) {
	has := s.Has &^ (e.wide &^ s.Wide) // a narrow field tells nothing beside a wide one
	at := s.Before.Add(s.After.Sub(s.Before) / 2)
	p.Interval = 0
	if e.fresh != 0 && at.After(p.At) {
		p.Interval = at.Sub(p.At)
	}
	isGap := p.Missed > 0
	p.At, p.Missed, p.Rated = at, 0, 0
	p.Saturated = p.Saturated&^has | s.Saturated&has
	p.Has |= has
	d := step{entry: e, port: p, sample: s, isGap: isGap, limit: limit * p.Interval.Seconds() * slack}
	for c := range has.All() {
		d.counter(c)
	}
	if d.reset {
		p.Resets++
	}
	e.has |= has
	e.wide |= s.Wide & has
	e.fresh, e.full = has, s.Saturated&has
}

// slack is for the times of readings, which are not known exactly.
const slack = 1.1

// bytesPerSecond is what the link of a port can carry, 0 if that is not known.
func bytesPerSecond(p *fabric.Port) float64 {
	const bytesPerGigabit = 1e9 / 8
	rate := p.Active()
	return ib.RateGbps(rate.Width, rate.Speed) * bytesPerGigabit
}
