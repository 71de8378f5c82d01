package event

import (
	"cmp"
	"maps"
	"slices"

	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/watch"
)

// nodeResets are ports of a node whose counters are lower than before: somebody has
// reset them, or the node has started again.
type nodeResets struct {
	span
	ports map[int]bool
	pass  int // of the last of them
}

// reboot is a node that was told to have been rebooted: when, and by which event.
type reboot struct {
	span
	id uint64
}

func (d *Detector) portReset(p *total.Port, when span) {
	r := d.resets[p.Node]
	if r == nil {
		r = &nodeResets{span: when, ports: map[int]bool{}}
		d.resets[p.Node] = r
	}
	r.span = r.union(when)
	r.ports[p.Num] = true
	r.pass = d.pass
}

// settleReboots tells of nodes that were started again between two sweeps: at all of
// their links the other ends have counted that they went down, at the same time; of a
// node with one link its own counters must also have begun anew.
func (d *Detector) settleReboots() {
	seen := map[ib.GUID]bool{}
	for _, k := range sortedLinks(d.links) {
		st := d.links[k]
		for side, p := range k {
			if st.counted[1-side].n > 0 && !seen[p.node] && d.base != nil {
				seen[p.node] = true
				if n, ok := d.base.NodeByGUID(p.node); ok {
					d.checkReboot(n)
				}
			}
		}
	}
}

func (d *Detector) checkReboot(n *fabric.Node) {
	var links []*linkState
	var when span
	for p := range n.Ports() {
		if p.Remote() == nil {
			continue
		}
		k := between(portOf(p), portOf(p.Remote()))
		st := d.links[k]
		if st == nil {
			return
		}
		far := st.counted[1-k.side(portOf(p))]
		if far.n == 0 || !d.isReady(st) || len(links) > 0 && !far.overlaps(when) {
			return
		}
		when = when.union(far.span)
		links = append(links, st)
	}
	resets := d.resets[n.GUID()]
	anew := resets != nil && resets.overlaps(when)
	if !anew && len(links) < 2 {
		return
	}
	e := Event{Kind: NodeRebooted, Since: when.from, Count: uint64(len(links)), How: string(watch.Counting)}
	d.place(&e, n)
	r := &reboot{span: when}
	d.remember(&r.id, e)
	d.rebooted[n.GUID()] = r
	for _, st := range links {
		f := falls{span: when, n: 1, absorbs: true, quiet: true}
		for side := range st.counted {
			st.counted[side] = counted{}
		}
		st.fall(f)
	}
}

// settleResets tells whose counters were reset by somebody else: of those that have not
// begun anew because their node did. One event for all that became known together.
func (d *Detector) settleResets() {
	var ports uint64
	var when span
	var nodes []ib.GUID
	for _, guid := range slices.SortedFunc(maps.Keys(d.resets), cmp.Compare[ib.GUID]) {
		r := d.resets[guid]
		if d.pass <= r.pass {
			continue
		}
		if !d.wasDown(guid, r.span) {
			nodes = append(nodes, guid)
			ports += uint64(len(r.ports))
			when = when.union(r.span)
		}
	}
	if len(nodes) > 0 {
		d.tellResets(nodes, ports, when)
	}
	for guid, r := range d.resets {
		if d.pass > r.pass {
			delete(d.resets, guid)
		}
	}
	for guid, r := range d.rebooted {
		if r.to.Before(d.now.Add(-d.opts.FlapWindow)) {
			delete(d.rebooted, guid)
		}
	}
}

func (d *Detector) tellResets(nodes []ib.GUID, ports uint64, when span) {
	e := Event{Kind: CounterReset, Since: when.from, Count: ports, How: string(watch.Counting)}
	if d.base == nil {
		return
	}
	if n, ok := d.base.NodeByGUID(nodes[0]); ok && len(nodes) == 1 {
		e.At = d.node(n)
		if r := d.resets[nodes[0]]; len(r.ports) == 1 {
			for num := range r.ports {
				if p := n.Port(num); p != nil {
					e.At, e.To = d.port(p), d.port(p.Remote())
				}
			}
		}
	}
	d.add(e)
}

// wasDown reports whether a node was not there, or started again, at some time.
func (d *Detector) wasDown(guid ib.GUID, when span) bool {
	if r, ok := d.rebooted[guid]; ok && r.overlaps(when) {
		return true
	}
	if d.nodes[guid] != nil || d.base == nil {
		return true
	}
	n, ok := d.base.NodeByGUID(guid)
	if !ok {
		return true
	}
	for p := range n.Ports() {
		if p.Remote() == nil {
			continue
		}
		st := d.links[between(portOf(p), portOf(p.Remote()))]
		if st == nil {
			continue
		}
		for _, f := range st.falls {
			if f.absorbs && f.overlaps(when) {
				return true
			}
		}
	}
	return false
}
