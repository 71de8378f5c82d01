package cache

// link connects the ports: first those that name each other, then the claims of
// one side only.
func (d *decoder) link(byKey map[portKey]int32) {
	for i := range d.ports {
		p := &d.ports[i]
		if p.port == nil || p.linked || !p.hasPeer() {
			continue
		}
		for q := range d.records(byKey, p.peer()) {
			if q.port != nil && !q.linked && q.hasPeer() && q.peer() == p.key() {
				d.b.Link(p.port, q.port)
				p.linked, q.linked = true, true
				break
			}
		}
	}
	for i := range d.ports {
		if p := &d.ports[i]; p.port != nil && p.hasPeer() && !p.linked {
			d.linkOneWay(p, byKey)
		}
	}
}

func (d *decoder) linkOneWay(p *portRecord, byKey map[portKey]int32) {
	for q := range d.records(byKey, p.peer()) {
		if q.port == nil {
			continue
		}
		d.problem(p.offset, p.owner(), int(p.key().num), "is connected to node %s port %d, which does not tell so",
			q.owner(), q.key().num)
		d.b.LinkOneWay(p.port, q.port)
		return
	}
	d.problem(p.offset, p.owner(), int(p.key().num), "is connected to port %d with GUID %s, which has no record",
		p.peer().num, p.peer().guid)
}
