package simbench

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
)

// reach is what of a model can be found from its start: over cables none of whose
// ports is dead, and not through channel adapters.
type reach struct {
	nodes map[*fabric.Node]int // with their distance from the start, in cables
	dead  map[*fabric.Port]bool
}

func newReach(model *fabric.Fabric, faults []sim.Fault) *reach {
	r := &reach{nodes: map[*fabric.Node]int{}, dead: map[*fabric.Port]bool{}}
	for _, f := range faults {
		if n, ok := model.NodeByGUID(f.Node); ok && f.Kind == sim.DeadPort {
			r.dead[n.Port(f.Port)] = true
		}
	}
	start := model.Start().Node()
	r.nodes[start] = 0
	queue := []*fabric.Node{start}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for p := range n.Ports() {
			if !r.leadsOn(p, start) {
				continue
			}
			if far := p.Remote().Node(); !r.met(far) {
				r.nodes[far] = r.nodes[n] + 1
				queue = append(queue, far)
			}
		}
	}
	return r
}

func (r *reach) met(n *fabric.Node) bool {
	_, ok := r.nodes[n]
	return ok
}

// leadsOn reports whether a sweep goes on through a port of a node that it has met.
func (r *reach) leadsOn(p *fabric.Port, start *fabric.Node) bool {
	far := p.Remote()
	return far != nil && !r.dead[p] && !r.dead[far] && (p.Node() == start || p.Node().Type() == ib.NodeSwitch)
}

// hasLink reports whether a cable can be found.
func (r *reach) hasLink(l fabric.Link) bool {
	return r.met(l.A.Node()) && r.met(l.B.Node()) && !r.dead[l.A] && !r.dead[l.B]
}
