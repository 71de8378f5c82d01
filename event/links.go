package event

import (
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/diff"
	"github.com/ibscope/ibscope/ib"
)

// linkState is a link that has a past: it is down, or was within the window.
type linkState struct {
	key    linkKey
	at, to End
	down   bool
	id     uint64          // of the event that tells that it is down; 0 if none does
	rate   fabric.LinkRate // at which it ran when it went down, and since
	since  time.Time       // it is down, or up

	falls    []falls // the last ones, the oldest first
	flapping bool
	flapID   uint64
	hidden   uint64 // falls while it is flapping, which were not told

	counted [2]counted // by LinkDownedCounter at its ends
}

// maxLinks bounds the links that are remembered.
const maxLinks = 1 << 18

// link is the memory of a link.
func (d *Detector) link(k linkKey) *linkState {
	st := d.links[k]
	if st == nil {
		st = &linkState{key: k, since: d.now}
		d.links[k] = st
	}
	return st
}

// lose notes that the link between two ports is down, as a sweep has seen.
func (c *comparison) lose(p, r *fabric.Port, f falls) *linkState {
	st := c.link(between(portOf(p), portOf(r)))
	st.at, st.to = c.ends(p, r)
	st.rate = rateOf(p)
	f.span, f.n, f.seen = c.looked(), 1, true
	c.wentDown(st.key, f)
	return st
}

// looked is when what a sweep has seen may have happened. The sweep before may not have
// looked at that place, and the counters there may have been read before it began.
func (c *comparison) looked() span {
	when := c.when
	if c.tableBefore.Before(when.from) && !c.tableBefore.IsZero() {
		when.from = c.tableBefore
	}
	return when
}

// wentDown notes that a link went down.
func (d *Detector) wentDown(k linkKey, f falls) {
	st := d.link(k)
	if !st.down {
		st.fall(f)
	}
	st.down, st.since = true, d.now
	st.id = 0
	for _, p := range k {
		d.downAt[p] = st
	}
	delete(d.idle, k)
}

// cameUp notes that a link is up.
func (d *Detector) cameUp(k linkKey) {
	st := d.links[k]
	if st == nil {
		return
	}
	if st.down {
		st.since = d.now
	}
	st.down, st.id = false, 0
	for _, p := range k {
		if d.downAt[p] == st {
			delete(d.downAt, p)
		}
	}
}

// linksLost tells of links that are down, while both nodes are there.
func (c *comparison) linksLost() {
	for _, change := range c.lost {
		p, r := change.A.Port, change.A.Peer
		if c.goneNodes[p.Node()] || c.goneNodes[r.Node()] {
			continue
		}
		st := c.lose(p, r, falls{})
		e := Event{Kind: LinkDown, Since: c.when.from, Old: st.rate.String(), At: st.at, To: st.to}
		c.tellDown(st, e)
	}
}

// tellDown tells that a link is down, unless it is flapping.
func (d *Detector) tellDown(st *linkState, e Event) {
	if d.flapped(st, 1, e) == fallsOnce {
		d.remember(&st.id, e)
	}
}

// linksFound tells of links that are there now, between nodes that were there before.
func (c *comparison) linksFound() {
	for _, change := range c.found {
		p, r := change.B.Port, change.B.Peer
		if c.newNodes[p.Node()] || c.newNodes[r.Node()] || c.replacing[p.Node()] || c.replacing[r.Node()] {
			continue
		}
		c.linkFound(p, r)
	}
}

func (c *comparison) linkFound(p, r *fabric.Port) {
	k := between(portOf(p), portOf(r))
	e := Event{Kind: LinkAdded, Since: c.when.from, New: p.Active().String()}
	e.At, e.To = c.ends(p, r)
	st := c.links[k]
	if st != nil && st.down {
		e.Kind, e.Again = LinkUp, st.id
		if !st.flapping {
			c.add(e)
		}
	} else if was, stays := c.formerEnd(p, r); was != nil {
		e.Kind, e.Again = LinkMoved, was.id
		e.At, e.To = c.port(stays), c.port(stays.Remote())
		e.Old, e.New = short(was.other(portOf(stays))), short(e.To)
		c.add(e)
		c.link(k).fall(falls{span: span{was.since, c.when.to}.union(c.when), absorbs: true, quiet: true})
	} else {
		c.add(e)
	}
	c.checkRate(k, p)
	c.cameUp(k)
	c.noteIdle(p)
}

// formerEnd is a link that is down, and has one of its ends in common with a new one.
func (c *comparison) formerEnd(p, r *fabric.Port) (*linkState, *fabric.Port) {
	for _, q := range [...]*fabric.Port{p, r} {
		if st := c.downAt[portOf(q)]; st != nil {
			return st, q
		}
	}
	return nil, nil
}

// other is the end of a link that is not a port.
func (st *linkState) other(p portKey) End {
	if st.at.GUID == p.node && st.at.Port == p.num {
		return st.to
	}
	return st.at
}

// linksMoved tells of links whose one end is elsewhere: of a node of which that is so of
// all links, that it has moved.
func (c *comparison) linksMoved() {
	movers := c.movers()
	for _, n := range movers.order {
		e := Event{Kind: NodeMoved, Since: c.when.from, Old: c.placeText(movers.was[n]), New: c.placeText(n)}
		c.place(&e, n)
		c.add(e)
	}
	for _, change := range c.moved {
		stays, peer := change.B.Port, change.B.Peer
		was := c.lose(change.A.Port, change.A.Peer, falls{quiet: true})
		c.cameUp(was.key) // it is not down, it is elsewhere
		k := between(portOf(stays), portOf(peer))
		if !movers.has[change.B.Port.Node()] && !c.newNodes[peer.Node()] {
			e := Event{Kind: LinkMoved, Since: c.when.from, Old: short(c.port(change.A.Peer)), New: short(c.port(peer))}
			e.At, e.To = c.port(stays), c.port(peer)
			c.add(e)
		}
		c.wentDown(k, c.unplugged()) // the counters of its ends say so
		c.checkRate(k, stays)
		c.cameUp(k)
		c.noteIdle(stays)
	}
}

// unplugged is what is known of a cable that is elsewhere now.
func (c *comparison) unplugged() falls {
	return falls{span: c.looked(), n: 1, seen: true, absorbs: true, quiet: true}
}

// movers are nodes that have moved.
type movers struct {
	order []*fabric.Node // as they are now
	has   map[*fabric.Node]bool
	was   map[*fabric.Node]*fabric.Node
}

// movers finds the nodes all of whose links are elsewhere.
func (c *comparison) movers() movers {
	m := movers{has: map[*fabric.Node]bool{}, was: map[*fabric.Node]*fabric.Node{}}
	count := map[*fabric.Node]int{}
	for _, change := range c.moved {
		n := change.B.Port.Node()
		if count[n]++; count[n] == 1 {
			m.was[n] = change.A.Port.Node()
			m.order = append(m.order, n)
		}
	}
	kept := m.order[:0]
	for _, n := range m.order {
		links := 0
		for p := range n.Ports() {
			if p.Remote() != nil {
				links++
			}
		}
		if links == count[n] {
			m.has[n] = true
			kept = append(kept, n)
		}
	}
	m.order = kept
	return m
}

// ratesChanged tells of links that run at another width or speed than before.
func (c *comparison) ratesChanged() {
	last := (*fabric.Port)(nil)
	for _, change := range c.rates {
		if change.Field != diff.Width && change.Field != diff.Speed || change.B.Port == last {
			continue
		}
		last = change.B.Port
		c.rateChanged(rateOf(change.A.Port), change.B.Port)
	}
}

// checkRate compares the rate of a link that is up again with the one before, or with
// what both ends can.
func (c *comparison) checkRate(k linkKey, p *fabric.Port) {
	before := fabric.Link{A: p, B: p.Remote()}.Best()
	if st := c.links[k]; st != nil && st.rate != (fabric.LinkRate{}) {
		before = st.rate
	}
	c.rateChanged(before, p)
}

// rateOf is what the link at a port runs at. Where its ends tell different rates one of
// them was read before something changed: the lower one counts, so that a loss is seen
// at once, and is over when both ends say so.
func rateOf(p *fabric.Port) fabric.LinkRate {
	rate, r := p.Active(), p.Remote()
	if r == nil || r.InfoBytes() == nil {
		return rate
	}
	far := r.Active()
	if p.InfoBytes() == nil {
		return far
	}
	if far.Width.Lanes() != 0 && far.Width.Lanes() < rate.Width.Lanes() {
		rate.Width = far.Width
	}
	if told(far.Speed) && far.Speed.Rank() < rate.Speed.Rank() {
		rate.Speed = far.Speed
	}
	return rate
}

// rateChanged tells of a link that runs at another rate than before.
func (c *comparison) rateChanged(before fabric.LinkRate, p *fabric.Port) {
	now := rateOf(p)
	if now == before || before.Width.Lanes() == 0 || now.Width.Lanes() == 0 || !told(now.Speed) || !told(before.Speed) {
		return
	}
	e := Event{Since: c.when.from}
	e.At, e.To = c.ends(p, p.Remote())
	lower := false
	if before.Width.Lanes() > now.Width.Lanes() {
		e.Kind, e.Field, e.Old, e.New = WidthLost, string(diff.Width), before.Width.String(), now.Width.String()
		c.add(e)
		lower = true
	}
	if before.Speed.Rank() > now.Speed.Rank() {
		e.Kind, e.Field, e.Old, e.New = SpeedLost, string(diff.Speed), before.Speed.String(), now.Speed.String()
		c.add(e)
		lower = true
	}
	if best := (fabric.Link{A: p, B: p.Remote()}).Best(); !lower && now.Width.Lanes() >= best.Width.Lanes() && now.Speed.Rank() >= best.Speed.Rank() {
		e.Kind, e.Field, e.Old, e.New = RateRestored, "", before.String(), now.String()
		c.add(e)
	}
	if st := c.links[between(portOf(p), portOf(p.Remote()))]; st != nil {
		st.rate = now
	}
}

func told(s ib.LinkSpeed) bool { return s.Rank() != 0 }
