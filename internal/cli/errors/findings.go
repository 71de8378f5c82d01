package errors

import (
	"cmp"
	"context"
	"sort"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/change"
	"github.com/ibscope/ibscope/counters/explain"
	"github.com/ibscope/ibscope/counters/threshold"
	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/internal/cli/measure"
	"github.com/ibscope/ibscope/internal/cli/names"
)

// finding is a counter of a port that is beyond its threshold.
type finding struct {
	sample  *counters.Sample
	counter counters.Counter
	change  *change.Change // nil without --interval
	explain.Explanation
}

func (f *finding) value() uint64     { return f.sample.Values[f.counter] }
func (f *finding) isSaturated() bool { return f.sample.Saturated.Has(f.counter) }

// finder looks through readings.
type finder struct {
	*settings
	book   ibnetdiscover.Namer // names of nodes, may be nil
	names  *names.Book
	limits *threshold.Limits
	wait   func(context.Context, time.Duration) error // between two readings; nil: by the clock

	findings []finding
	ports    int // that were read
	badPorts int
	absent   [counters.NumCounters]int // ports that do not have a counter that is watched
}

// look finds what is beyond its threshold in the readings, the worst first.
func (f *finder) look(readings *measure.Readings) {
	for i := range readings.All {
		r := &readings.All[i]
		if r.Last == nil || r.Last.Has == 0 {
			continue
		}
		f.ports++
		for c := range (f.limits.Watched() &^ r.Last.Has).All() {
			f.absent[c]++
		}
		if f.take(r) {
			f.badPorts++
		}
	}
	sort.SliceStable(f.findings, func(i, j int) bool {
		a, b := f.findings[i], f.findings[j]
		return a.compare(&b) < 0
	})
}

// take takes the findings of a port, and reports whether there are any.
func (f *finder) take(r *measure.Reading) (found bool) {
	for c := range f.limits.Beyond(r.Last).All() {
		new := finding{sample: r.Last, counter: c, Explanation: explain.Of(c)}
		if r.First != nil {
			d := change.Between(r.First, r.Last, c)
			new.change = &d
		} else if f.earlier != "" {
			new.change = &change.Change{Status: change.Absent} // the port is new
		}
		if f.rising && !new.isRising() {
			continue
		}
		f.findings = append(f.findings, new)
		found = true
	}
	return found
}

// isRising reports whether the counter has counted between the readings, as far as is
// known: what it stands at after a reset it has counted since.
func (f *finding) isRising() bool {
	return f.change != nil && (f.change.N > 0 || f.change.Status == change.Reset && f.value() > 0)
}

// compare orders findings, the worst first.
func (f *finding) compare(g *finding) int {
	return cmp.Or(
		cmp.Compare(g.Severity, f.Severity),
		cmp.Compare(g.rate(), f.rate()),
		cmp.Compare(number(g.isSaturated()), number(f.isSaturated())),
		cmp.Compare(g.value(), f.value()),
	)
}

func (f *finding) rate() float64 {
	if f.change == nil {
		return 0
	}
	perSecond, _ := f.change.PerSecond()
	return perSecond
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
