package total

import (
	"math"

	"github.com/ibscope/ibscope/counters"
)

// wordBytes is what counters of data count.
const wordBytes = 4

// leastPacket is the size of the shortest packet: a local header, a transport header,
// and both checksums.
const leastPacket = 26

// step is the way of a port from one reading to the next.
type step struct {
	e     *entry
	p     *Port
	s     *counters.Sample
	limit float64 // bytes in a second, 0 if not known
	reset bool    // a counter was lower than before
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
	e, p := d.e, d.p
	now, before := d.s.Values[c], e.raw[c]
	isWide, known := d.s.Wide.Has(c), e.has.Has(c)
	e.raw[c] = now
	if !known || isWide && !e.wide.Has(c) {
		p.Values[c] = times(now, unit(c))
		return
	}
	added, sure := d.added(c, now, before)
	if isWide {
		p.Values[c] = times(now, unit(c))
	} else {
		p.Values[c] = plus(p.Values[c], times(added, unit(c)))
	}
	atEnd := d.s.Saturated.Has(c) || e.full.Has(c)
	if sure && !atEnd && e.fresh.Has(c) && p.Interval > 0 {
		p.Rated |= 1 << c
		p.Added[c] = times(added, unit(c))
		p.Rates[c] = float64(p.Added[c]) / p.Interval.Seconds()
	}
}

// added is what a counter has counted, at least, and whether that is all.
func (d *step) added(c counters.Counter, now, before uint64) (n uint64, sure bool) {
	isClassic := !d.s.Wide.Has(c) && counters.Traffic.Has(c) // 32 bits
	if now >= before {
		return now - before, !isClassic || !d.e.wraps || !d.mayPass(c, 1<<32)
	}
	if over := now + 1<<32 - before; isClassic && before >= 1<<31 && d.mayPass(c, over) {
		d.e.wraps = true
		return over, !d.mayPass(c, over+1<<32)
	}
	d.reset = true
	return now, false
}

// mayPass reports whether a link can carry that much in the interval, as far as is
// known.
func (d *step) mayPass(c counters.Counter, n uint64) bool {
	size := float64(leastPacket)
	if unit(c) == wordBytes {
		size = wordBytes
	}
	return float64(n)*size <= d.limit*d.p.Interval.Seconds()
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
