package gen

import "github.com/ibscope/ibscope/ib"

// visit is a node as a sweep meets it.
type visit struct {
	node    int
	arrival uint8 // the port that the sweep first came in by
	path    ib.DRPath
	tooFar  bool // for a directed route: there is no path
}

// sweepOrder lists the nodes in the order in which a sweep from the first host
// meets them, and after them those that it cannot reach.
func (p *plan) sweepOrder() []visit {
	order := make([]visit, 0, len(p.nodes))
	met := make([]bool, len(p.nodes))
	if start := p.start(); start >= 0 {
		met[start] = true
		order = append(order, visit{node: start, arrival: 1})
	}
	for i := 0; i < len(order); i++ {
		v := order[i]
		for num, to := range p.nodes[v.node].ports {
			if to.peer < 0 || met[to.peer] || !p.passes(i, v, num) {
				continue
			}
			met[to.peer] = true
			path, ok := v.path.Append(uint8(num))
			order = append(order, visit{int(to.peer), to.port, path, !ok || v.tooFar})
		}
	}
	for i := range p.nodes {
		if !met[i] {
			order = append(order, visit{node: i, arrival: 1, tooFar: true})
		}
	}
	return order
}

// passes is whether a sweep goes on from the i-th node that it met by a port:
// through switches, and out of its own adapter by the port it started from.
func (p *plan) passes(i int, v visit, num int) bool {
	return p.nodes[v.node].typ == ib.NodeSwitch || i == 0 && num == int(v.arrival)
}

// start is the first adapter of a machine, -1 if there is none.
func (p *plan) start() int {
	for i := range p.nodes {
		if p.nodes[i].isAdapter() {
			return i
		}
	}
	return -1
}
