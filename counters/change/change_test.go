package change

import (
	"testing"
	"time"

	"github.com/ibscope/ibscope/counters"
)

func TestBetween(t *testing.T) {
	const c = counters.SymbolErrors
	has, none := counters.SetOf(c), counters.Set(0)
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	sample := func(after time.Duration, n uint64, has, saturated counters.Set) *counters.Sample {
		s := &counters.Sample{Before: start.Add(after), After: start.Add(after + 2*time.Second), Has: has, Saturated: saturated}
		s.Values[c] = n
		return s
	}
	for name, tt := range map[string]struct {
		a, b *counters.Sample
		want Change
	}{
		"counts":       {sample(0, 5, has, none), sample(8*time.Second, 21, has, none), Change{Known, 16, 8 * time.Second}},
		"stands still": {sample(0, 5, has, none), sample(8*time.Second, 5, has, none), Change{Known, 0, 8 * time.Second}},
		"not before":   {sample(0, 0, none, none), sample(time.Second, 5, has, none), Change{Absent, 0, time.Second}},
		"not now":      {sample(0, 5, has, none), sample(time.Second, 0, none, none), Change{Absent, 0, time.Second}},
		"reset":        {sample(0, 5, has, none), sample(time.Second, 4, has, none), Change{Reset, 0, time.Second}},
		"at the end":   {sample(0, 5, has, none), sample(time.Second, 65535, has, has), Change{Saturated, 65530, time.Second}},
		"stays there":  {sample(0, 65535, has, has), sample(time.Second, 65535, has, has), Change{Saturated, 0, time.Second}},
		"no time":      {sample(0, 5, has, none), sample(0, 7, has, none), Change{Status: Absent}},
	} {
		got := Between(tt.a, tt.b, c)
		if got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
		if rate, ok := got.PerSecond(); ok != (tt.want.Status == Known) || ok && rate != float64(got.N)/got.Time.Seconds() {
			t.Errorf("%s: %v, %v per second", name, rate, ok)
		}
	}
}
