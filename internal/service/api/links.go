package api

import (
	"strings"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

func (a *API) links(r *request) error {
	if err := r.known(); err != nil {
		return err
	}
	c := r.choose()
	var fit []fabric.Link
	for _, l := range r.index.links {
		if r.wantsLink(l) && (c.port(l.A) || c.port(l.B)) {
			fit = append(fit, l)
		}
	}
	if key := strings.TrimPrefix(r.text("sort"), "-"); key != "" {
		sortBy(r, fit, func(l fabric.Link) *float64 { return r.linkKey(l, key) })
	}
	from, to, next := r.window(len(fit))
	head := Page[Link]{Schema: "ibscope.api.links", Total: len(fit), Offset: from, Next: next}
	return list(r, head, each(fit[from:to], r.link))
}

func (r *request) wantsLink(l fabric.Link) bool {
	if id := r.text("id"); id != "" && linkID(l) != id {
		return false
	}
	if s := r.text("state"); s != "" && stateOf(l).String() != s {
		return false
	}
	if r.has("tier") {
		if tier := r.tier(l); tier == nil || *tier != r.number("tier") {
			return false
		}
	}
	return r.wants("inactive", func() bool { return stateOf(l) != ib.PortActive }) && r.wants("degraded", l.IsDegraded) &&
		r.wants("flapping", func() bool { return r.flaps(l.A).now || r.flaps(l.B).now }) &&
		r.wants("errors", func() bool { return r.counted(l.A).grew() || r.counted(l.B).grew() })
}

// tier is the lower tier of the two ends, nil where it is not known.
func (r *request) tier(l fabric.Link) *int {
	a, okA := r.index.tier(l.A.Node())
	b, okB := r.index.tier(l.B.Node())
	if !okA || !okB {
		return nil
	}
	low := min(a, b)
	return &low
}

// linkKey is a value to sort by.
func (r *request) linkKey(l fabric.Link, key string) *float64 {
	a, b := r.counted(l.A), r.counted(l.B)
	switch key {
	case "utilisation":
		return more(a.utilisation(counters.XmitData), b.utilisation(counters.XmitData))
	case "errors":
		return float(both(a.sum(), b.sum()))
	case "errors_per_second":
		return both(a.sumPerSecond(), b.sumPerSecond())
	case "congestion":
		return more(a.congestion(), b.congestion())
	}
	f := r.linkFlaps(l)
	if key == "last_flap" {
		if f.last.IsZero() {
			return nil
		}
		return float(pointer(uint64(f.last.Unix())))
	}
	return float(&f.count)
}

// linkFlaps is what events tell of a link: that of the end they tell more of.
func (r *request) linkFlaps(l fabric.Link) flap {
	a, b := r.flaps(l.A), r.flaps(l.B)
	if b.count > a.count {
		a.count = b.count
	}
	if b.last.After(a.last) {
		a.last = b.last
	}
	a.now = a.now || b.now
	return a
}

// link is a link as an item of a list.
func (r *request) link(l fabric.Link) Link {
	f := r.linkFlaps(l)
	out := Link{
		ID: linkID(l), A: r.end(l.A), B: r.end(l.B), State: stateWord(stateOf(l)), PhysState: physStateWord(physStateOf(l)),
		Best: rateOf(l.Best()), Degraded: l.IsDegraded(), Disagrees: l.Disagrees(), OneWay: l.OneWay(), Tier: r.tier(l),
		Flapping: f.now, Flaps: f.count, LastFlap: utc(f.last),
	}
	if s := stateOf(l); s != ib.PortDown && s != ib.PortNoChange {
		active := l.A.Active()
		if active == (fabric.LinkRate{}) {
			active = l.B.Active() // a did not tell
		}
		out.Active = rateOf(active)
	}
	if out.Degraded {
		active, best := l.A.Active(), l.Best()
		out.Narrow, out.Slow = best.Width.Lanes() > active.Width.Lanes(), best.Speed.Rank() > active.Speed.Rank()
	}
	out.Utilisation = more(out.A.Utilisation, out.B.Utilisation)
	out.Congestion = more(out.A.Congestion, out.B.Congestion)
	out.Errors = both(out.A.Errors, out.B.Errors)
	out.ErrorRate = both(out.A.ErrorsPerSecond, out.B.ErrorsPerSecond)
	return out
}

// end is one end of a link.
func (r *request) end(p *fabric.Port) LinkEnd {
	c := r.counted(p)
	out := LinkEnd{
		Place: r.index.portPlace(p), State: stateWord(p.State()),
		XmitBytes: c.value(counters.XmitData), RcvBytes: c.value(counters.RcvData),
		XmitRate: c.perSecond(counters.XmitData), RcvRate: c.perSecond(counters.RcvData),
		Utilisation: c.utilisation(counters.XmitData), Errors: c.sum(), ErrorsPerSecond: c.sumPerSecond(), Congestion: c.congestion(),
		WorstError: c.worst(), LinkDowned: c.value(counters.LinkDowned), Discards: c.perSecond(counters.XmitDiscards),
	}
	if c.port != nil {
		out.ReadAt = c.port.At.UTC()
	}
	return out
}
