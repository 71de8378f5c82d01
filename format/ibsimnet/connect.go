package ibsimnet

import (
	"strings"

	"github.com/ibscope/ibscope/ib"
)

// connect links the ports once all files are read.
func (p *parser) connect() {
	for _, n := range p.nodes {
		for i := range n.ports {
			if pt := &n.ports[i]; pt.remote != "" && pt.peer == nil {
				p.connectPort(pt)
			}
		}
	}
}

func (p *parser) connectPort(pt *port) {
	q := p.find(pt)
	if q == nil {
		return
	}
	switch {
	case q.peer != nil && q.peer != pt:
		p.badAt(pt.at, "port %d of %q is linked to another port already", q.num, q.node.id)
		return
	case q.alias:
	case q.remote == "":
		p.badAt(pt.at, "port %d of %q does not name this port; they are linked all the same", q.num, q.node.id)
	case p.target(q) != pt:
		p.badAt(pt.at, "port %d of %q names another port; this port is not linked", q.num, q.node.id)
		return
	}
	pt.peer, q.peer = q, pt
	r, ok := common(pt, q)
	if !ok {
		p.badAt(pt.at, "the two ends of the link have no width or speed in common; it is 1x SDR")
	}
	pt.active, q.active = r, r
}

// target is the port that a port names, nil when there is none.
func (p *parser) target(pt *port) *port {
	if strings.Contains(pt.remote, "@") {
		return p.aliases[pt.remote]
	}
	n := p.byID[pt.remote]
	if n == nil || int(pt.rport) >= len(n.ports) {
		return nil
	}
	return &n.ports[pt.rport]
}

// find is target with a problem for what cannot be found.
func (p *parser) find(pt *port) *port {
	q := p.target(pt)
	switch {
	case q != nil:
	case strings.Contains(pt.remote, "@"):
		p.badAt(pt.at, "the alias %q is not defined; the port is not linked", pt.remote)
	case p.byID[pt.remote] == nil:
		p.badAt(pt.at, "there is no node %q; the port is not linked", pt.remote)
	default:
		p.badAt(pt.at, "node %q has only %d ports, not %d; the port is not linked", pt.remote, len(p.byID[pt.remote].ports)-1, pt.rport)
	}
	return q
}

// common is the best rate that both ends have enabled.
func common(a, b *port) (rate, bool) {
	r := rate{
		width: (a.width & b.width).Max(),
		speed: highest(a.speed & b.speed & 7),
		ext:   highest(a.ext & b.ext),
	}
	r.fdr10 = a.fdr10 && b.fdr10 && r.ext == 0
	if r.width == 0 || r.speed == 0 {
		return rate{width: ib.Width1x, speed: ib.SpeedSDR.Base()}, false
	}
	return r, true
}

// highest is the highest bit of m.
func highest(m uint8) uint8 {
	for m&(m-1) != 0 {
		m &= m - 1
	}
	return m
}
