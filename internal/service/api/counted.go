package api

import (
	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// counted is what counters tell of a port, in short.
type counted struct {
	port   *total.Port // nil: never read
	errors counters.Set
	rate   float64 // of the link, in bytes of data a second; 0 where it is not known
}

func (r *request) counted(p *fabric.Port) counted {
	c := counted{errors: r.api.o.Errors(), port: r.state.Totals.Port(p.Node().GUID(), p.Num())}
	const bitsPerByte, giga = 8, 1e9
	if active := p.Active(); active.Width != 0 && active.Speed != 0 && p.State() != ib.PortDown {
		c.rate = max(0, ib.RateGbps(active.Width, active.Speed)) * giga / bitsPerByte
	}
	return c
}

// value is the total of a counter, nil where it is not known.
func (c counted) value(k counters.Counter) *uint64 {
	if c.port == nil || !c.port.Has.Has(k) {
		return nil
	}
	v := c.port.Values[k]
	return &v
}

// perSecond is the rate of a counter, nil where it is not known.
func (c counted) perSecond(k counters.Counter) *float64 {
	if c.port == nil || !c.port.Rated.Has(k) {
		return nil
	}
	v := c.port.Rates[k]
	return &v
}

// utilisation is the share of the link's rate that a counter of data goes at.
func (c counted) utilisation(k counters.Counter) *float64 {
	v := c.perSecond(k)
	if v == nil || c.rate == 0 {
		return nil
	}
	u := *v / c.rate
	return &u
}

// sum is that of all errors, nil where none is known.
func (c counted) sum() *uint64 {
	if c.port == nil || c.port.Has&c.errors == 0 {
		return nil
	}
	sum := uint64(0)
	for k := range (c.port.Has & c.errors).All() {
		if sum += c.port.Values[k]; sum < c.port.Values[k] {
			sum = ^uint64(0)
			break
		}
	}
	return &sum
}

// sumPerSecond is the rate of all errors, nil where none is known.
func (c counted) sumPerSecond() *float64 {
	if c.port == nil || c.port.Rated&c.errors == 0 {
		return nil
	}
	sum := 0.0
	for k := range (c.port.Rated & c.errors).All() {
		sum += c.port.Rates[k]
	}
	return &sum
}

// worst names the counter of errors that rises most, or is the highest where none rises.
func (c counted) worst() string {
	if c.port == nil {
		return ""
	}
	name, rate, value := "", 0.0, uint64(0)
	for k := range (c.port.Has & c.errors).All() {
		r, v := c.port.Rates[k], c.port.Values[k]
		if r > rate || r == rate && v > value {
			name, rate, value = k.String(), r, v
		}
	}
	return name
}

// congestion is nil where it is not known.
func (c counted) congestion() *float64 {
	if c.port == nil || c.port.Congestion < 0 || c.port.Interval == 0 {
		return nil
	}
	v := c.port.Congestion
	return &v
}

// grew reports whether errors were counted between the last two readings.
func (c counted) grew() bool {
	v := c.sumPerSecond()
	return v != nil && *v > 0
}

// whole is all that counters tell of a port, nil where they were never read.
func (c counted) whole() *Counters {
	t := c.port
	if t == nil {
		return nil
	}
	out := &Counters{
		At: t.At.UTC(), Interval: t.Interval.Seconds(), Missed: t.Missed, Resets: t.Resets,
		Values: map[string]uint64{}, PerSecond: map[string]float64{}, ErrorsPerSecond: c.sumPerSecond(),
		XmitUtilisation: c.utilisation(counters.XmitData), RcvUtilisation: c.utilisation(counters.RcvData), Congestion: c.congestion(),
	}
	for k := range t.Has.All() {
		out.Values[counterName(k)] = t.Values[k]
	}
	for k := range t.Rated.All() {
		out.PerSecond[counterName(k)] = t.Rates[k]
	}
	for k := range (t.Saturated & t.Has).All() {
		out.Saturated = append(out.Saturated, counterName(k))
	}
	if sum := c.sum(); sum != nil {
		out.Errors = *sum
	}
	return out
}

// counterName is the name of a counter, which says what it counts: data is in bytes.
func counterName(k counters.Counter) string {
	switch k {
	case counters.XmitData:
		return "xmit_bytes"
	case counters.RcvData:
		return "rcv_bytes"
	}
	return k.Field()
}

// more is the higher of two values that may not be known.
func more(a, b *float64) *float64 {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

// both is the sum of two values that may not be known.
func both[N uint64 | float64](a, b *N) *N {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	sum := *a + *b
	return &sum
}
