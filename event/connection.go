package event

import "github.com/ibscope/ibscope/watch"

// connection tells that the fabric is lost, or back.
func (d *Detector) connection(s *watch.State) {
	isLost := !s.Connected && !s.Lost.IsZero()
	switch {
	case isLost && !d.lost:
		e := Event{Kind: FabricLost, Since: d.sweep.to, How: string(watch.Connecting)}
		if s.Err != nil {
			e.New = s.Err.Error()
		}
		d.own(&e)
		d.remember(&d.lostID, e)
	case s.Connected && d.lost:
		e := Event{Kind: FabricBack, Since: d.sweep.to, How: string(watch.Connecting), Again: d.lostID}
		d.own(&e)
		d.add(e)
		for _, st := range d.links {
			if st.flapping {
				st.since = d.now // how it was in between is not known
			}
		}
	}
	if s.Connected || isLost {
		d.lost = isLost
	}
}

// own is the port by which the fabric is asked, and what it is linked to.
func (d *Detector) own(e *Event) {
	if d.base != nil && d.base.Start() != nil {
		p := d.base.Start()
		e.At, e.To = d.port(p), d.port(p.Remote())
	}
}
