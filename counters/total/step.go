package total

import (
	"math"

	"github.com/ibscope/ibscope/counters"
)

// wordBytes is what counters of data count.
const wordBytes = 4

// leastPacket is the size of the shortest packet: a local header, a transport header,
// and both checksums (IBA vol. 1, 6.2).
const leastPacket = 26

// Fields of 32 bits.
const (
	wrap32  = 1 << 32
	upper32 = 1 << 31 // the upper half begins here
)

// step is the way of a port from one reading to the next.
type step struct {
	entry  *entry
	port   *Port
	sample *counters.Sample
	limit  float64 // bytes that the link can have carried in between, 0 if not known
	isGap  bool    // passes were missed: somebody else may have read the port, and reset it
	reset  bool    // a counter was lower than before
}

// unit is what one of a counter stands for in totals.
func unit(c counters.Counter) uint64 {
	if c == counters.XmitData || c == counters.RcvData {
		return wordBytes
	}
	return 1
}

// counter takes in one counter.
func (d *step) counter(c counters.Counter) {
	e, p := d.entry, d.port
	now, before := d.sample.Values[c], e.raw[c]
	isWide := d.sample.Wide.Has(c)
	e.raw[c] = now
	if !e.has.Has(c) || isWide && !e.wide.Has(c) {
		p.Values[c] = times(now, unit(c))
		return
	}
	added, isAll := d.added(c, now, before)
	if isWide {
		p.Values[c] = times(now, unit(c))
	} else {
		p.Values[c] = plus(p.Values[c], times(added, unit(c)))
	}
	stood := d.sample.Saturated.Has(c) || e.full.Has(c)
	if isAll && !stood && e.fresh.Has(c) && p.Interval > 0 {
		p.Rated |= counters.SetOf(c)
		p.Added[c] = times(added, unit(c))
		p.Rates[c] = float64(p.Added[c]) / p.Interval.Seconds()
	}
}

// added is what a counter has counted, at least, and whether that is all.
//
// By the specification counters stop at the end of their field (IBA vol. 1, 16.1.3.5).
// One that is lower than before was set to 0 by somebody, and has counted what it says
// now since then. Some devices let the counters of traffic in PortCounters go on from 0
// instead: that is believed of one which stood in the upper half, if the link can have
// carried so much. After a gap of some passes a field of 32 bits may have begun anew any
// number of times, or was reset, and nobody knows which: it is neither, and tells the
// least that it can have counted.
func (d *step) added(c counters.Counter, now, before uint64) (n uint64, isAll bool) {
	mayWrap := counters.Traffic.Has(c) && !d.sample.Wide.Has(c)
	if mayWrap && d.isGap && d.isPossible(c, now+wrap32-before) {
		if now < before {
			return now, false
		}
		return now - before, false
	}
	if now >= before {
		return now - before, !mayWrap || !d.entry.wraps || !d.isPossible(c, now-before+wrap32)
	}
	if over := now + wrap32 - before; mayWrap && before >= upper32 && d.isPossible(c, over) {
		d.entry.wraps = true
		return over, !d.isPossible(c, over+wrap32)
	}
	d.reset = true
	return now, false
}

// isPossible reports whether the link can have carried that much.
func (d *step) isPossible(c counters.Counter, n uint64) bool {
	size := uint64(leastPacket)
	if unit(c) == wordBytes {
		size = wordBytes
	}
	return float64(n)*float64(size) <= d.limit
}

// times and plus stop at the end.
func times(n, unit uint64) uint64 {
	if n > math.MaxUint64/unit {
		return math.MaxUint64
	}
	return n * unit
}

func plus(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}
