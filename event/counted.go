package event

import (
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/watch"
)

// counted is what LinkDownedCounter at one end of a link has counted, and no sweep has
// seen so far.
type counted struct {
	span
	n    uint64
	pass int // in which it was read
	told int // the number of the State in which it was first known
}

// passDone takes in what was read in a pass over the counters, if there was one.
func (d *Detector) passDone(new *watch.State) {
	before, now := d.table, new.Totals
	if now == nil || now == before {
		return
	}
	d.table = now
	d.pass++
	if before == nil {
		return
	}
	d.tableBefore = before.At
	for _, p := range now.Ports {
		was := before.Port(p.Node, p.Num)
		if was == nil || !p.At.After(was.At) || p.Missed > 0 {
			continue
		}
		when := span{was.At, p.At}
		if p.Resets > was.Resets {
			d.portReset(p, when)
		}
		d.portDowned(was, p, when)
		d.portErrors(p)
	}
}

// portDowned takes in how often a port has counted that its link went down. A link that
// went down and up between two sweeps shows there alone.
func (d *Detector) portDowned(was, now *total.Port, when span) {
	const c = counters.LinkDowned
	if !was.Has.Has(c) || !now.Has.Has(c) || now.Values[c] <= was.Values[c] {
		return
	}
	at := portKey{now.Node, now.Num}
	st := d.linkAt(at)
	if st == nil {
		return // who was at the other end is not known
	}
	n := now.Values[c] - was.Values[c]
	side := st.key.side(at)
	if n -= st.explain(side, n, when); n == 0 {
		return
	}
	own := &st.counted[side]
	if own.n == 0 {
		own.span = when
	}
	own.n += n
	own.to, own.pass, own.told = when.to, d.pass, d.number
}

// linkAt is the link at a port: the one that is there, or the one that is down.
func (d *Detector) linkAt(at portKey) *linkState {
	if p := d.find(at); p != nil && p.Remote() != nil {
		st := d.link(between(at, portOf(p.Remote())))
		st.at, st.to = d.ends(p, p.Remote())
		return st
	}
	return d.downAt[at]
}

// isReady reports whether all is known that may explain what was counted at a link: a
// sweep has begun since then, which knew that it should look whether the link is down
// now; and its other end was read since then, which shows whether that has begun anew.
func (d *Detector) isReady(st *linkState) bool {
	var last counted
	for _, c := range st.counted {
		if c.n > 0 && c.told >= last.told {
			last = c
		}
	}
	if d.sweep.state < last.told || d.idle[st.key] != nil && !d.idle[st.key].told {
		return false
	}
	return d.pass > last.pass || st.counted[0].n == st.counted[1].n
}

// settleCounted tells of links that have flapped unseen, once for both ends.
func (d *Detector) settleCounted() {
	for _, k := range sortedLinks(d.links) {
		st := d.links[k]
		if st.counted[0].n == 0 && st.counted[1].n == 0 || !d.isReady(st) {
			continue
		}
		f := falls{n: max(st.counted[0].n, st.counted[1].n)}
		for side, c := range st.counted {
			f.used[side] = c.n
			if c.n > 0 {
				f.span = f.union(c.span)
			}
			st.counted[side] = counted{}
		}
		st.fall(f)
		e := Event{Kind: LinkFlap, Since: f.from, At: st.at, To: st.to, Count: f.n, How: string(watch.Counting)}
		if !st.down {
			st.since = later(st.since, f.to)
		}
		if d.flapped(st, f.n, e) == fallsOnce {
			d.add(e)
		}
	}
}

// union is a time that holds both.
func (s span) union(o span) span {
	if s.to.IsZero() {
		return o
	}
	if o.from.Before(s.from) {
		s.from = o.from
	}
	s.to = later(s.to, o.to)
	return s
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
