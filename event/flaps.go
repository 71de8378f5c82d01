package event

import (
	"cmp"
	"slices"
	"sort"
	"time"
)

// falls are times at which a link went down.
type falls struct {
	span
	n    uint64
	used [2]uint64 // how many of them LinkDownedCounter at each end has told of
	seen bool      // by a sweep

	// absorbs: its node was down, whose links may go down more often while it starts.
	// quiet: so it is no flapping.
	absorbs, quiet bool
}

// maxFalls bounds what is remembered of one link.
const maxFalls = 32

// fall remembers times at which a link went down. What the counters have told of and
// nobody knew the reason for may be these; it has waited for a sweep that sees them.
func (st *linkState) fall(f falls) {
	if len(st.falls) == maxFalls {
		st.falls = st.falls[1:]
	}
	st.falls = append(st.falls, f)
	for side := range st.counted {
		c := &st.counted[side]
		if c.n > 0 && (f.seen || c.overlaps(f.span)) {
			f := &st.falls[len(st.falls)-1]
			f.span = f.union(c.span)
			c.n -= st.explain(side, c.n, c.span)
		}
	}
}

// explain finds known falls that a counter at one end has counted, and gives how many.
func (st *linkState) explain(side int, n uint64, when span) (explained uint64) {
	for i := range st.falls {
		f := &st.falls[i]
		if !f.overlaps(when) {
			continue
		}
		take := min(n-explained, f.n-f.used[side])
		f.used[side] += take
		explained += take
		if f.absorbs {
			return n
		}
	}
	return explained
}

// fallsSince is how often a link went down after a time.
func (st *linkState) fallsSince(t time.Time) (n uint64) {
	for _, f := range st.falls {
		if f.to.After(t) && !f.quiet {
			n += f.n
		}
	}
	return n
}

// flapVerdict is what a link is that has gone down.
type flapVerdict uint8

const (
	fallsOnce      flapVerdict = iota // it is worth an event
	startsFlapping                    // that it is flapping was told
	isFlapping                        // it was counted
)

// flapped is called when a link has gone down n times more, which st.falls has already.
// It tells that the link is flapping, with the ends of e, if it begins to.
func (d *Detector) flapped(st *linkState, n uint64, e Event) flapVerdict {
	if st.flapping {
		st.hidden += n
		return isFlapping
	}
	if st.fallsSince(d.now.Add(-d.opts.FlapWindow)) < uint64(d.opts.FlapCount) {
		return fallsOnce
	}
	st.flapping, st.hidden = true, 0
	d.remember(&st.flapID, Event{
		Kind: LinkFlap, Since: e.Since, At: st.at, To: st.to, New: flapping, Count: n, How: e.How,
	})
	return startsFlapping
}

// flapping is what a link is that flaps; New of LinkFlap and Old of FlapEnded.
const flapping = "flapping"

// settleFlaps tells of links that are done with flapping: they have been up, or down,
// for a whole window. Links without a past are forgotten.
func (d *Detector) settleFlaps() {
	limit := d.now.Add(-d.opts.FlapWindow)
	for _, k := range sortedLinks(d.links) {
		st := d.links[k]
		if st.flapping && !st.since.After(limit) && st.fallsSince(limit) == 0 {
			d.flapEnds(st)
		}
		if !st.flapping && !st.down && st.counted[0].n == 0 && st.counted[1].n == 0 && st.forget(limit) {
			delete(d.links, k)
		}
	}
	d.forgetLinks()
}

// flapEnds tells that a link does not flap any more, or stays down.
func (d *Detector) flapEnds(st *linkState) {
	st.flapping = false
	e := Event{Kind: FlapEnded, Since: st.since, At: st.at, To: st.to, Old: flapping, Count: st.hidden, Again: st.flapID}
	if !st.down {
		d.add(e)
		return
	}
	for _, p := range st.key {
		if g := d.nodes[p.node]; g != nil && g.hidden {
			g.hidden = false
			e.Kind = NodeVanished
			d.remember(&g.id, e)
			return
		}
	}
	e.Kind = LinkDown
	d.remember(&st.id, e)
}

// forget drops falls that are of no use any more: older than the window, and counted at
// both ends. It reports whether none is left.
func (st *linkState) forget(limit time.Time) bool {
	st.falls = slices.DeleteFunc(st.falls, func(f falls) bool {
		return f.to.Before(limit) && (!f.seen || f.used[0] >= f.n && f.used[1] >= f.n)
	})
	return len(st.falls) == 0
}

// forgetLinks keeps the memory of links within bounds: those go that have been as they
// are for the longest time.
func (d *Detector) forgetLinks() {
	if len(d.links) <= maxLinks {
		return
	}
	keys := sortedLinks(d.links)
	sort.SliceStable(keys, func(i, j int) bool {
		a, b := keys[i], keys[j]
		return d.links[a].since.Compare(d.links[b].since) < 0
	})
	for _, k := range keys[:len(keys)-maxLinks*3/4] {
		d.cameUp(k)
		delete(d.links, k)
	}
}

func sortedLinks[V any](m map[linkKey]V) []linkKey {
	keys := make([]linkKey, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		a, b := keys[i], keys[j]
		return cmp.Or(comparePorts(a[0], b[0]), comparePorts(a[1], b[1])) < 0
	})
	return keys
}

func comparePorts(a, b portKey) int {
	return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.num, b.num))
}
