package health

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// subnets numbers the subnets of a fabric from 0: what is joined by links, but not
// by routers, whose ports are in the subnet of their peers. LIDs and subnet managers
// are matters of one subnet.
type subnets struct {
	of map[*fabric.Node]int // of nodes that are no routers
}

func newSubnets(f *fabric.Fabric) *subnets {
	s := &subnets{of: map[*fabric.Node]int{}}
	next := 0
	for n := range f.Nodes() {
		if _, ok := s.of[n]; ok || n.Type() == ib.NodeRouter {
			continue
		}
		s.spread(n, next)
		next++
	}
	return s
}

// spread takes all that is joined to a node into its subnet.
func (s *subnets) spread(n *fabric.Node, number int) {
	s.of[n] = number
	for queue := []*fabric.Node{n}; len(queue) > 0; queue = queue[1:] {
		for p := range queue[0].Ports() {
			r := p.Remote()
			if r == nil || r.Node().Type() == ib.NodeRouter {
				continue
			}
			if _, ok := s.of[r.Node()]; !ok {
				s.of[r.Node()] = number
				queue = append(queue, r.Node())
			}
		}
	}
}

// port is the subnet of a port; -1 for a port of a router that leads nowhere.
func (s *subnets) port(p *fabric.Port) int {
	n := p.Node()
	if n.Type() == ib.NodeRouter {
		r := p.Remote()
		if r == nil || r.Node().Type() == ib.NodeRouter {
			return -1
		}
		n = r.Node()
	}
	return s.of[n]
}
