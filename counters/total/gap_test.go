package total_test

import (
	"math"
	"testing"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
)

// TestGap: a port that another collector has read for some passes comes back. What it has
// counted meanwhile has a rate over all that time, if it is known for certain; a field
// of 32 bits that may have begun anew is neither said to have been reset nor to have
// wrapped, and has no rate. After the next reading all is as always.
func TestGap(t *testing.T) {
	port := model(t).Start()
	for _, tt := range []struct {
		name    string
		counter counters.Counter
		before  reading
		missed  int
		after   reading
		want    uint64
		rate    float64
		resets  uint64
	}{
		{"never read before", counters.XmitData, reading{}, 0, reading{at: 300, value: 1 << 40, wide: true}, 1 << 42, unrated, 0},
		{"64 bits", counters.XmitData, reading{value: 1 << 40, wide: true}, 5, reading{at: 300, value: 1<<40 + 300, wide: true}, 1<<42 + 1200, 4, 0},
		{"errors", counters.SymbolErrors, reading{value: 7}, 5, reading{at: 300, value: 307}, 307, 1, 0},
		{"errors were reset", counters.SymbolErrors, reading{value: 70}, 5, reading{at: 300, value: 7}, 77, unrated, 1},
		{"32 bits are higher", counters.XmitData, reading{value: 100}, 5, reading{at: 300, value: 200}, 800, unrated, 0},
		{"32 bits are lower", counters.XmitData, reading{value: 1000}, 5, reading{at: 300, value: 200}, 4800, unrated, 0},
		{"32 bits at their end", counters.RcvPkts, reading{value: end32 - 9}, 5, reading{at: 300, value: 90}, end32 + 81, unrated, 0},
		{"not enough time to wrap", counters.RcvPkts, reading{value: 100}, 5, reading{at: 1, value: 200}, 200, 100, 0},
		{"not enough time, so it was reset", counters.RcvPkts, reading{value: 300}, 5, reading{at: 1, value: 200}, 500, unrated, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := total.New()
			if tt.missed > 0 {
				a.Add(tt.before.sample(port, tt.counter))
				for range tt.missed + 1 { // the first one ends its own pass
					a.Table(epoch)
				}
			}
			look := func() *total.Port { return a.Table(epoch).Port(port.Node().GUID(), port.Num()) }
			a.Add(tt.after.sample(port, tt.counter))
			p := look()
			if p.Values[tt.counter] != tt.want || p.Resets != tt.resets {
				t.Errorf("%d with %d resets, want %d with %d", p.Values[tt.counter], p.Resets, tt.want, tt.resets)
			}
			if isRated := p.Rated.Has(tt.counter); isRated != (tt.rate != unrated) || isRated && math.Abs(p.Rates[tt.counter]-tt.rate) > 1e-6 {
				t.Errorf("rate %v, known %v; want %v", p.Rates[tt.counter], isRated, tt.rate)
			}
			next := tt.after
			next.at, next.value = next.at+10, next.value+10
			a.Add(next.sample(port, tt.counter))
			if p := look(); !p.Rated.Has(tt.counter) || p.Resets != tt.resets {
				t.Errorf("after the next reading: rated %v, %d resets", p.Rated.Has(tt.counter), p.Resets)
			}
		})
	}
}
