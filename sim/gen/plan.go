package gen

import "github.com/ibscope/ibscope/ib"

// plan is a fabric on paper: nodes and cables between numbered ports. The first
// host planned becomes the start of the fabric.
type plan struct {
	nodes []planNode
	gen   generation
	width ib.LinkWidth
}

type planNode struct {
	typ   ib.NodeType
	name  string
	ports []plug // by port number; entry 0 unused
}

// plug is where a port's cable goes; peer is -1 without one.
type plug struct {
	peer int32
	port uint8
}

func (p *plan) add(t ib.NodeType, name string, ports int) int {
	n := planNode{typ: t, name: name, ports: make([]plug, ports+1)}
	for i := range n.ports {
		n.ports[i].peer = -1
	}
	p.nodes = append(p.nodes, n)
	return len(p.nodes) - 1
}

// host adds a channel adapter with one port.
func (p *plan) host(name string) int { return p.add(ib.NodeCA, name+" "+p.gen.adapterName, 1) }

// newSwitch adds a switch, described as switch software does.
func (p *plan) newSwitch(name string, ports int) int {
	return p.add(ib.NodeSwitch, "MF0;"+name+":"+p.gen.switchModel+"/U1", ports)
}

func (p *plan) cable(a, aPort, b, bPort int) {
	p.nodes[a].ports[aPort] = plug{int32(b), uint8(bPort)}
	p.nodes[b].ports[bPort] = plug{int32(a), uint8(aPort)}
}

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
		if i > 0 && p.nodes[v.node].typ != ib.NodeSwitch {
			continue
		}
		for num, to := range p.nodes[v.node].ports {
			if to.peer < 0 || met[to.peer] {
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

// start is the first host, -1 if there is none.
func (p *plan) start() int {
	for i := range p.nodes {
		if p.nodes[i].typ == ib.NodeCA {
			return i
		}
	}
	return -1
}
