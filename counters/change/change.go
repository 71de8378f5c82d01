// Package change tells how fast counters count: what became of them between two
// samples of one port, with the time that truly lay between.
package change

import (
	"time"

	"github.com/ibscope/ibscope/counters"
)

// Status says what is known of a change. The constants are the stable words of
// machine-readable outputs.
type Status string

// The kinds of changes.
const (
	Known     Status = "known"
	Absent    Status = "absent"    // the agent does not have the counter, or it was not read twice
	Saturated Status = "saturated" // it stood or stands at the end of its field: it counted this much or more
	Reset     Status = "reset"     // it is lower than before: somebody has reset it
)

// Change is what a counter did between two samples.
type Change struct {
	Status Status
	N      uint64        // what was counted; of one that is Saturated the least
	Time   time.Duration // between the middles of the two readings
}

// Between compares two samples of one port, the older one first.
func Between(a, b *counters.Sample, c counters.Counter) Change {
	d := Change{Time: middle(b).Sub(middle(a))}
	switch {
	case !a.Has.Has(c) || !b.Has.Has(c) || d.Time <= 0:
		d.Status = Absent
	case b.Values[c] < a.Values[c]:
		d.Status = Reset
	case a.Saturated.Has(c) || b.Saturated.Has(c):
		d.Status, d.N = Saturated, b.Values[c]-a.Values[c]
	default:
		d.Status, d.N = Known, b.Values[c]-a.Values[c]
	}
	return d
}

// middle is the time at which a sample was read, as exactly as is known.
func middle(s *counters.Sample) time.Time { return s.Before.Add(s.After.Sub(s.Before) / 2) }

// PerSecond is the rate, false where it is not known.
func (c Change) PerSecond() (float64, bool) {
	if c.Status != Known {
		return 0, false
	}
	return float64(c.N) / c.Time.Seconds(), true
}
