package event

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// idleLink is a link that is up and not active: it carries no data. That is so for a
// moment of each link that comes up, until the subnet manager has seen it; so it is
// told when two sweeps in a row have found it.
type idleLink struct {
	span
	sweeps int
	told   bool
	id     uint64
}

// isActive reports whether both ends of a link carry data, as far as is known.
func isActive(l fabric.Link) bool {
	for _, p := range [...]*fabric.Port{l.A, l.B} {
		if p.InfoBytes() != nil && p.State() != ib.PortActive {
			return false
		}
	}
	return true
}

// noteIdle notes whether the link at a port is active.
func (c *comparison) noteIdle(p *fabric.Port) {
	r := p.Remote()
	if r == nil || isActive(fabric.Link{A: p, B: r}) {
		return
	}
	if k := between(portOf(p), portOf(r)); c.idle[k] == nil {
		c.idle[k] = &idleLink{span: c.when}
	}
}

// settleIdle tells of links that stay idle, and of those that are active again.
func (d *Detector) settleIdle() {
	for _, k := range sortedLinks(d.idle) {
		i := d.idle[k]
		p := d.find(k[0])
		if p == nil || p.Remote() == nil || portOf(p.Remote()) != k[1] {
			delete(d.idle, k)
			continue
		}
		i.sweeps++
		active := isActive(fabric.Link{A: p, B: p.Remote()})
		e := Event{Since: i.from}
		e.At, e.To = d.ends(p, p.Remote())
		switch {
		case active:
			delete(d.idle, k)
			if i.told {
				e.Kind, e.New, e.Again, e.Since = LinkUp, p.Active().String(), i.id, d.sweep.from
				d.add(e)
			}
		case !i.told && i.sweeps > 1:
			i.told = true
			state := lower(p, p.Remote())
			e.Kind, e.Old, e.New = idleKind(state), ib.PortActive.String(), state.String()
			d.remember(&i.id, e)
		}
	}
}

// idleKind is what a link is that both ends know of and that is not active. Initialize and
// Armed are the states of one that is up and waits for a subnet manager (IBA 7.2).
func idleKind(s ib.PortState) Kind {
	if s == ib.PortInitialize || s == ib.PortArmed {
		return LinkIdle
	}
	return LinkDown
}

// lower is the state of the end that is further from being active.
func lower(p, q *fabric.Port) ib.PortState {
	if q.InfoBytes() != nil && (p.InfoBytes() == nil || q.State() < p.State()) {
		return q.State()
	}
	return p.State()
}

// find is a port of the fabric that is known; nil if it has none.
func (d *Detector) find(k portKey) *fabric.Port {
	if d.base == nil {
		return nil
	}
	n, ok := d.base.NodeByGUID(k.node)
	if !ok {
		return nil
	}
	return n.Port(k.num)
}
