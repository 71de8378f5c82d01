package scenario

import (
	"cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/sim"
)

// condition is what a place must be like for a command to be of use there.
type condition func(*sim.Fabric, sim.Place) bool

func anything(*sim.Fabric, sim.Place) bool      { return true }
func isUp(s *sim.Fabric, at sim.Place) bool     { return s.IsUp(at) }
func isAlive(s *sim.Fabric, at sim.Place) bool  { return s.IsAlive(at.Node) }
func isDead(s *sim.Fabric, at sim.Place) bool   { return !s.IsAlive(at.Node) }
func hasCable(s *sim.Fabric, at sim.Place) bool { _, ok := s.Cable(at); return ok }
func isDown(s *sim.Fabric, at sim.Place) bool   { return hasCable(s, at) && !s.IsUp(at) }

// nodes are all nodes that fit.
func (n *name) nodes(s *sim.Fabric) (list []*fabric.Node) {
	for node := range s.Model().Nodes() {
		if n.fits(s, node) {
			list = append(list, node)
		}
	}
	return list
}

// resolve finds the places that a name means now. Patterns and random choices
// mean only places that the condition fits, so there may be none; a name that
// nothing has is an error. A random port, and all ports, are such with a cable,
// unless the command is of use for free ones.
func (r *Runner) resolve(n *name, c condition) ([]sim.Place, error) {
	nodes := n.nodes(r.sim)
	if len(nodes) == 0 {
		return nil, &Error{Col: n.col, Err: missing("no node fits %s", quote(cmp.Or(n.node, n.text)))}
	}
	if n.isExact() {
		c = anything
	}
	var all []sim.Place
	for _, node := range nodes {
		places, err := r.portsOf(n, node, c)
		if err != nil {
			if len(nodes) == 1 {
				return nil, err
			}
			continue
		}
		all = append(all, places...)
	}
	if n.how == oneAtRandom {
		all = r.pick(all)
	}
	return all, nil
}

// portsOf are the places at one node.
func (r *Runner) portsOf(n *name, node *fabric.Node, c condition) ([]sim.Place, error) {
	var all []sim.Place
	add := func(num int) {
		if at := (sim.Place{Node: node, Port: num}); c(r.sim, at) {
			all = append(all, at)
		}
	}
	switch {
	case n.port == noPort:
		add(0)
	case n.port >= 0:
		if n.port > node.NumPorts() {
			return nil, &Error{Col: n.col, Err: missing("%s has ports 1…%d, not %d", quote(r.sim.Description(node)), node.NumPorts(), n.port)}
		}
		add(n.port)
	default:
		for num := 1; num <= node.NumPorts(); num++ {
			if n.port == everyPort || n.free || hasCable(r.sim, sim.Place{Node: node, Port: num}) {
				add(num)
			}
		}
	}
	if n.port == randomPort && n.how == eachThatFits {
		all = r.pick(all)
	}
	return all, nil
}

// pick chooses one at random.
func (r *Runner) pick(all []sim.Place) []sim.Place {
	if len(all) < 2 {
		return all
	}
	i := r.random.IntN(len(all))
	return all[i : i+1]
}

// one finds the only place that a name means.
func (r *Runner) one(n *name, c condition) (sim.Place, error) {
	all, err := r.resolve(n, c)
	if err == nil && len(all) != 1 {
		err = &Error{Col: n.col, Err: missing("%s fits %d places, expected one", quote(n.text), len(all))}
	}
	if err != nil {
		return sim.Place{}, err
	}
	return all[0], nil
}
