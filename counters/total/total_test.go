package total_test

import (
	"math"
	"testing"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim/gen"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

const end32 = math.MaxUint32

// model is a fabric with links of 4x HDR: 25e9 bytes in a second.
func model(t testing.TB) *fabric.Fabric {
	t.Helper()
	f, err := gen.Parse("fattree?levels=2&radix=8")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// reading is what a port tells of one counter at a time, in seconds.
type reading struct {
	at    float64
	value uint64
	wide  bool
	full  bool
	gap   bool // it is not read, but another counter is
}

func (r reading) sample(p *fabric.Port, c counters.Counter) *counters.Sample {
	at := epoch.Add(time.Duration(r.at * float64(time.Second)))
	s := &counters.Sample{Node: p.Node(), Num: p.Num(), Before: at.Add(-time.Second), After: at.Add(time.Second)}
	s.Has = counters.SetOf(counters.VL15Dropped)
	if r.gap {
		return s
	}
	s.Values[c] = r.value
	s.Has |= counters.SetOf(c)
	if r.wide {
		s.Wide = counters.SetOf(c)
	}
	if r.full {
		s.Saturated = counters.SetOf(c)
	}
	return s
}

const unrated = -1

func TestTotals(t *testing.T) {
	f := model(t)
	port := f.Start()
	for _, tt := range []struct {
		name     string
		counter  counters.Counter
		readings []reading
		want     uint64
		rate     float64
		resets   uint64
	}{
		{name: "the first reading", counter: counters.SymbolErrors, readings: []reading{{value: 7}}, want: 7, rate: unrated},
		{name: "counts", counter: counters.SymbolErrors, readings: []reading{{value: 7}, {at: 10, value: 17}}, want: 17, rate: 1},
		{name: "stands still", counter: counters.SymbolErrors, readings: []reading{{value: 7}, {at: 10, value: 7}}, want: 7, rate: 0},
		{name: "data is in bytes", counter: counters.XmitData, readings: []reading{{value: 100, wide: true}, {at: 10, value: 200, wide: true}}, want: 800, rate: 40},
		{name: "data of 32 bits too", counter: counters.RcvData, readings: []reading{{value: 100}, {at: 10, value: 200}}, want: 800, rate: 40},

		{name: "reset", counter: counters.SymbolErrors, readings: []reading{{value: 100}, {at: 10, value: 3}}, want: 103, rate: unrated, resets: 1},
		{name: "reset to 0", counter: counters.SymbolErrors, readings: []reading{{value: 100}, {at: 10, value: 0}, {at: 20, value: 5}}, want: 105, rate: 0.5, resets: 1},
		{name: "reset of 64 bits", counter: counters.XmitPkts, readings: []reading{{value: 1 << 40, wide: true}, {at: 10, value: 3, wide: true}}, want: 3, rate: unrated, resets: 1},

		{name: "stops at its end", counter: counters.SymbolErrors, readings: []reading{{value: 65000}, {at: 10, value: 65535, full: true}}, want: 65535, rate: unrated},
		{name: "stands at its end", counter: counters.SymbolErrors, readings: []reading{{value: 65535, full: true}, {at: 10, value: 65535, full: true}}, want: 65535, rate: unrated},
		{name: "reset at its end", counter: counters.SymbolErrors, readings: []reading{{value: 65535, full: true}, {at: 10, value: 5}, {at: 20, value: 15}}, want: 65550, rate: 1, resets: 1},
		{name: "four bits", counter: counters.LocalLinkIntegrity, readings: []reading{{value: 14}, {at: 10, value: 2}}, want: 16, rate: unrated, resets: 1},

		// In 0.1 s the link can carry 2.5e9 bytes: less than twice 2³² words.
		{name: "data wraps", counter: counters.XmitData, readings: []reading{{value: end32 - 9}, {at: 0.1, value: 90}}, want: 4*(end32-9) + 400, rate: 4000},
		{name: "packets wrap", counter: counters.RcvPkts, readings: []reading{{value: end32 - 9}, {at: 4, value: 90}}, want: end32 - 9 + 100, rate: 25},
		{name: "not from the lower half", counter: counters.XmitData, readings: []reading{{value: 1 << 30}, {at: 0.1, value: 90}}, want: 1<<32 + 360, rate: unrated, resets: 1},
		{name: "not so much in that time", counter: counters.XmitData, readings: []reading{{value: 1 << 31}, {at: 0.1, value: 1 << 30}}, want: 1<<33 + 1<<32, rate: unrated, resets: 1},
		{name: "perhaps more than once", counter: counters.XmitData, readings: []reading{{value: end32 - 9}, {at: 10, value: 90}}, want: 4*(end32-9) + 400, rate: unrated},
		{name: "perhaps again without a trace", counter: counters.XmitData, readings: []reading{{value: end32 - 9}, {at: 0.1, value: 90}, {at: 10, value: 100}}, want: 4*(end32-9) + 440, rate: unrated},
		{name: "waits do not wrap", counter: counters.XmitWait, readings: []reading{{value: end32 - 9}, {at: 0.1, value: 90}}, want: end32 + 81, rate: unrated, resets: 1},

		{name: "not read in between", counter: counters.SymbolErrors, readings: []reading{{value: 7}, {at: 10, gap: true}, {at: 20, value: 17}}, want: 17, rate: unrated},
		{name: "and again", counter: counters.SymbolErrors, readings: []reading{{value: 7}, {at: 10, gap: true}, {at: 20, value: 17}, {at: 30, value: 27}}, want: 27, rate: 1},
		{name: "once from the narrow field", counter: counters.XmitPkts, readings: []reading{{value: 1 << 33, wide: true}, {at: 10, value: end32, full: true}, {at: 20, value: 1<<33 + 40, wide: true}}, want: 1<<33 + 40, rate: unrated},
		{name: "at last from the wide field", counter: counters.XmitPkts, readings: []reading{{value: 20}, {at: 10, value: 1 << 33, wide: true}, {at: 20, value: 1<<33 + 40, wide: true}}, want: 1<<33 + 40, rate: 4},
		{name: "at the same time", counter: counters.XmitPkts, readings: []reading{{value: 20}, {value: 40}}, want: 40, rate: unrated},
		{name: "the clock was set back", counter: counters.XmitPkts, readings: []reading{{at: 100, value: 20}, {value: 40}, {at: 10, value: 50}}, want: 50, rate: 1},
		{name: "beyond 64 bits", counter: counters.XmitData, readings: []reading{{value: 1 << 63, wide: true}}, want: math.MaxUint64, rate: unrated},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := total.New()
			for _, r := range tt.readings {
				a.Add(r.sample(port, tt.counter))
			}
			p := a.Table(epoch).Port(port.Node().GUID(), port.Num())
			if p.Values[tt.counter] != tt.want || p.Resets != tt.resets || !p.Has.Has(tt.counter) {
				t.Errorf("%d with %d resets, want %d with %d", p.Values[tt.counter], p.Resets, tt.want, tt.resets)
			}
			if isRated := p.Rated.Has(tt.counter); isRated != (tt.rate != unrated) || isRated && math.Abs(p.Rates[tt.counter]-tt.rate) > 1e-6 {
				t.Errorf("rate %v, known %v; want %v", p.Rates[tt.counter], isRated, tt.rate)
			}
			last := tt.readings[len(tt.readings)-1]
			if p.Saturated.Has(tt.counter) != last.full {
				t.Errorf("saturated: %v", p.Saturated.Has(tt.counter))
			}
		})
	}
}

// TestResetsCountOnce: a reset of many counters at once is one.
func TestResetsCountOnce(t *testing.T) {
	port := model(t).Start()
	a := total.New()
	for i, v := range []uint64{9, 1, 9} {
		s := reading{at: float64(10 * i), value: v}.sample(port, counters.SymbolErrors)
		s.Values[counters.RcvErrors], s.Values[counters.VL15Dropped] = v, v
		s.Has |= counters.SetOf(counters.RcvErrors)
		a.Add(s)
	}
	if p := a.Table(epoch).Ports[0]; p.Resets != 1 || p.Values[counters.RcvErrors] != 18 || p.Interval != 10*time.Second {
		t.Errorf("%d resets, %d, %v", p.Resets, p.Values[counters.RcvErrors], p.Interval)
	}
}

// TestMissed: ports that are not read stay for a while, and tables do not change.
func TestMissed(t *testing.T) {
	f := model(t)
	a := total.New()
	pass := func(n, ports int) *total.Table {
		i := 0
		for p := range f.Ports() {
			if i++; i > ports {
				break
			}
			a.Add(reading{at: float64(n), value: uint64(n)}.sample(p, counters.SymbolErrors))
		}
		return a.Table(epoch.Add(time.Duration(n) * time.Second))
	}
	first := pass(0, 40)
	if len(first.Ports) != 40 || first.Ports[3].Missed != 0 {
		t.Fatalf("%d ports", len(first.Ports))
	}
	gone := 0
	var last *total.Table
	for n := 1; n <= 60; n++ {
		last = pass(n, 30)
		gone = 0
		for _, p := range last.Ports {
			if p.Missed != 0 && p.Missed != n {
				t.Fatalf("pass %d: missed %d", n, p.Missed)
			}
			if p.Missed == n {
				gone++
			}
		}
	}
	if len(last.Ports) != 40 || gone != 10 {
		t.Errorf("%d ports, %d of them gone, after 60 passes", len(last.Ports), gone)
	}
	key := first.Ports[39].Key
	if last = pass(61, 30); len(last.Ports) != 30 {
		t.Errorf("%d ports after 61 passes", len(last.Ports))
	}
	for _, p := range first.Ports {
		if first.Port(p.Node, p.Num) != p || p.Missed != 0 || p.Values[counters.SymbolErrors] != 0 {
			t.Errorf("the first table has changed at %v", p.Key)
		}
	}
	if p := (*total.Table)(nil).Port(key.Node, key.Num); p != nil {
		t.Error("a port of no table")
	}
}

// TestBound: a fabric that is always another one does not fill the memory.
func TestBound(t *testing.T) {
	a := total.New()
	most := 0
	for n := range 40 {
		f := strangers(t, n, 300)
		for p := range f.Ports() {
			a.Add(reading{at: float64(n)}.sample(p, counters.SymbolErrors))
		}
		most = max(most, len(a.Table(epoch).Ports))
	}
	if most > 1024+300 {
		t.Errorf("%d ports are kept of a fabric of 300", most)
	}
}

// strangers are adapters that nobody has seen before.
func strangers(t testing.TB, generation, n int) *fabric.Fabric {
	t.Helper()
	from := *model(t).Start().Node().InfoBytes()
	b := fabric.NewBuilder()
	var info smp.NodeInfo
	for i := range n {
		info.Decode(&from)
		info.NodeGUID = ib.GUID(generation*n + i + 1)
		info.Encode(&from)
		b.Port(b.AddNode(&from), 1)
	}
	return b.Build()
}
