package fabric

import "iter"

// Link is a cable, or a trace on a backplane, between two ports. A is the port
// that comes first in canonical order; a port with a loopback plug is both ends.
type Link struct {
	A, B *Port
}

// OneWay reports whether only A says that it is connected to B. It is so in
// cut-out files, and where GUIDs are duplicated.
func (l Link) OneWay() bool { return l.B.remote != l.A }

// Links yields each link once.
func (f *Fabric) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		for p := range f.Ports() {
			r := p.remote
			if r == nil || (r.remote == p && r.before(p)) {
				continue
			}
			if !yield(Link{p, r}) {
				return
			}
		}
	}
}

// before reports whether p comes before q in canonical order.
func (p *Port) before(q *Port) bool {
	if p.node != q.node {
		return p.node.index < q.node.index
	}
	return p.num < q.num
}

// IsSelfLink reports whether both ends are on one node.
func (l Link) IsSelfLink() bool { return l.A.node == l.B.node }

// Best is the fastest rate that both ends support, zero where either end's
// PortInfo is not known.
func (l Link) Best() LinkRate {
	a, b := l.A.Supported(), l.B.Supported()
	return LinkRate{(a.Width & b.Width).Max(), (a.Speed & b.Speed).Max()}
}

// IsDegraded reports whether the link runs narrower or slower than both of its
// ends support. Links that are not up, or whose ends are not known, are not.
func (l Link) IsDegraded() bool {
	active, best := l.A.Active(), l.Best()
	if active.Width.Lanes() == 0 || active.Speed.Rank() == 0 {
		return false
	}
	return best.Width.Lanes() > active.Width.Lanes() || best.Speed.Rank() > active.Speed.Rank()
}

// Disagrees reports whether the two ends, both known, tell different active
// widths or speeds.
func (l Link) Disagrees() bool {
	if l.A.has&hasInfo == 0 || l.B.has&hasInfo == 0 {
		return false
	}
	return l.A.Active() != l.B.Active()
}
