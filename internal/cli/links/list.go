package links

import (
	"math"

	"github.com/ibscope/ibscope/counters/threshold"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/choose"
	"github.com/ibscope/ibscope/internal/cli/measure"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/cli/report"
)

// lister makes the rows of a fabric.
type lister struct {
	*settings
	names    *names.Book
	places   places
	readings *measure.Readings // nil without --errors
	limits   *threshold.Limits
	counts   tally
}

// tally is what the summary tells.
type tally struct{ total, active, down, other, degraded, bad, unlinked int }

// list makes the rows, and counts what the summary tells of the whole fabric.
func (l *lister) list(f *fabric.Fabric) [][]report.Cell {
	var rows [][]report.Cell
	for link := range f.Links() {
		l.count(link)
		if l.wants(link) {
			rows = append(rows, l.row(link))
		}
	}
	for p := range f.Ports() {
		if !isUnlinked(p) {
			continue
		}
		l.counts.unlinked++
		if link := (fabric.Link{A: p}); l.down && l.wants(link) {
			rows = append(rows, l.row(link))
		}
	}
	return rows
}

// isUnlinked reports whether a port is down, with nobody known at the other end.
func isUnlinked(p *fabric.Port) bool {
	return p.Num() > 0 && p.Remote() == nil && p.State() == ib.PortDown
}

func (l *lister) count(link fabric.Link) {
	l.counts.total++
	switch stateOf(link) {
	case ib.PortActive:
		l.counts.active++
	case ib.PortDown:
		l.counts.down++
	case ib.PortNoChange:
	default:
		l.counts.other++
	}
	if link.IsDegraded() {
		l.counts.degraded++
	}
	if l.hasErrors(link) {
		l.counts.bad++
	}
}

// wants reports whether a link fits all filters.
func (l *lister) wants(link fabric.Link) bool {
	s := l.settings
	if s.down && stateOf(link) == ib.PortActive ||
		s.degraded && (link.B == nil || !link.IsDegraded()) ||
		s.errors && !l.hasErrors(link) {
		return false
	}
	if low, known := l.places.lower(link); s.tier >= 0 && (!known || low != s.tier) {
		return false
	}
	if !s.nodes.All() && !l.hasEnd(link, func(p *fabric.Port) bool { return s.nodes.Has(p.Node(), l.names.All(p.Node())) }) {
		return false
	}
	return s.between == "" || l.isBetween(link)
}

func (l *lister) hasEnd(link fabric.Link, is func(*fabric.Port) bool) bool {
	return is(link.A) || link.B != nil && is(link.B)
}

// isBetween reports whether one end fits one pattern, and the other end the other.
func (l *lister) isBetween(link fabric.Link) bool {
	if link.B == nil {
		return false
	}
	a, b := l.names.All(link.A.Node()), l.names.All(link.B.Node())
	return choose.FitsAny(l.between, a) && choose.FitsAny(l.and, b) || choose.FitsAny(l.between, b) && choose.FitsAny(l.and, a)
}

func (l *lister) hasErrors(link fabric.Link) bool {
	return l.hasEnd(link, func(p *fabric.Port) bool {
		n, _ := l.errorsOf(p)
		return n > 0
	})
}

// errorsOf is the sum of a port's counters of errors, false if they were not read.
func (l *lister) errorsOf(p *fabric.Port) (uint64, bool) {
	if l.readings == nil {
		return 0, false
	}
	r := l.readings.Of(p)
	if r == nil || r.Last.Has&l.limits.Watched() == 0 {
		return 0, false
	}
	sum := uint64(0)
	for c := range (r.Last.Has & l.limits.Watched()).All() {
		n := r.Last.Values[c]
		if sum += n; sum < n {
			return math.MaxUint64, true
		}
	}
	return sum, true
}
