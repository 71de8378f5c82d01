package cache

import "slices"

// linkEnds is one end of a link as a port record tells it.
type linkEnds struct{ own, peer portKey }

// link connects the ports: first those that name each other, then the claims of
// one side only.
func (d *decoder) link() {
	unlinked := newChains[linkEnds](len(d.ports))
	for i := range slices.Backward(d.ports) {
		if p := &d.ports[i]; p.port != nil && p.hasPeer() {
			unlinked.push(linkEnds{p.key(), p.peer()}, i)
		}
	}
	for i := range d.ports {
		if p := &d.ports[i]; p.port != nil && p.hasPeer() && !p.linked {
			d.linkBoth(p, unlinked)
		}
	}
	d.linkOneWays()
}

// linkBoth connects a port to the first port that names it too.
func (d *decoder) linkBoth(p *portRecord, unlinked *chains[linkEnds]) {
	for {
		i := unlinked.pop(linkEnds{p.peer(), p.key()})
		if i < 0 {
			return
		}
		if q := &d.ports[i]; !q.linked {
			d.b.Link(p.port, q.port)
			p.linked, q.linked = true, true
			return
		}
	}
}

func (d *decoder) linkOneWays() {
	first := make(map[portKey]*portRecord)
	for i := range slices.Backward(d.ports) {
		if p := &d.ports[i]; p.port != nil {
			first[p.key()] = p
		}
	}
	for i := range d.ports {
		p := &d.ports[i]
		if p.port == nil || !p.hasPeer() || p.linked {
			continue
		}
		q := first[p.peer()]
		if q == nil {
			d.problem(p.offset, p.owner(), int(p.key().num), "is connected to port %d with GUID %s, which has no record",
				p.peer().num, p.peer().guid)
			continue
		}
		d.problem(p.offset, p.owner(), int(p.key().num), "is connected to node %s port %d, which does not tell so",
			q.owner(), q.key().num)
		d.b.LinkOneWay(p.port, q.port)
	}
}
