package sm

import (
	"sync"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
)

// groups are the multicast groups of all subnets, and the trees by which their
// packets spread.
type groups struct {
	manager *Manager
	mu      sync.Mutex
	groups  map[groupKey]*tree
}

type groupKey struct {
	sm   sim.Place // which subnet
	mlid ib.LID
}

// tree is a group's members and, once somebody asked, the ports of each switch.
type tree struct {
	members []sim.Place
	ports   map[*fabric.Node][4]uint64
}

// SetGroup tells who is in a multicast group of a subnet; nobody ends it.
func (m *Manager) SetGroup(s *Subnet, mlid ib.LID, members []sim.Place) {
	g := &m.groups
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.groups == nil {
		g.groups = map[groupKey]*tree{}
	}
	if key := (groupKey{s.SM, mlid}); len(members) == 0 {
		delete(g.groups, key)
	} else {
		g.groups[key] = &tree{members: members}
	}
}

// reset forgets the trees: the links have changed.
func (g *groups) reset() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, t := range g.groups {
		t.ports = nil
	}
}

func (g *groups) ports(sw *fabric.Node, mlid ib.LID) [4]uint64 {
	s := g.manager.subnetOf(sw)
	if s == nil {
		return [4]uint64{}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	t := g.groups[groupKey{s.SM, mlid}]
	if t == nil {
		return [4]uint64{}
	}
	if t.ports == nil {
		t.ports = g.manager.span(t.members)
	}
	return t.ports[sw]
}

// step is how a switch was reached: by which port from which other one.
type step struct {
	from sim.Place // a port of the switch nearer to the root
	by   int       // the port at this end
}

// span joins the members by shortest ways to the switch of the first one.
func (m *Manager) span(members []sim.Place) map[*fabric.Node][4]uint64 {
	ports := map[*fabric.Node][4]uint64{}
	set := func(n *fabric.Node, num int) {
		p := ports[n]
		p[num/64&3] |= 1 << (num % 64)
		ports[n] = p
	}
	var steps map[*fabric.Node]step
	for _, at := range members {
		leaf := at
		if !isSwitch(at.Node) {
			var ok bool
			if leaf, ok = m.sim.Peer(at); !ok || !isSwitch(leaf.Node) {
				continue
			}
		}
		if steps == nil {
			steps = m.stepsFrom(leaf.Node)
		}
		set(leaf.Node, leaf.Port)
		for n := leaf.Node; ; {
			s, ok := steps[n]
			if !ok || s.from.Node == nil {
				break
			}
			set(n, s.by)
			set(s.from.Node, s.from.Port)
			n = s.from.Node
		}
	}
	return ports
}

// stepsFrom searches breadth-first from a switch.
func (m *Manager) stepsFrom(root *fabric.Node) map[*fabric.Node]step {
	steps := map[*fabric.Node]step{root: {}}
	for queue := []*fabric.Node{root}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		for num := 1; num <= n.NumPorts(); num++ {
			at := sim.Place{Node: n, Port: num}
			peer, ok := m.sim.Peer(at)
			if !ok || !isSwitch(peer.Node) {
				continue
			}
			if _, seen := steps[peer.Node]; !seen {
				steps[peer.Node] = step{at, peer.Port}
				queue = append(queue, peer.Node)
			}
		}
	}
	return steps
}
