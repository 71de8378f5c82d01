package gen

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Bounds of all generators.
const (
	maxRadix = 254
	maxHosts = 1 << 20
	maxPorts = 1 << 22 // of all switches
)

// plan is a fabric on paper: nodes and cables between numbered ports. The first
// adapter planned becomes the start of the fabric, and the first of each subnet
// runs its subnet manager.
type plan struct {
	hardware
	nodes []planNode
}

// hardware is what a fabric is made of.
type hardware struct {
	gen   generation
	width ib.LinkWidth // of links, where a cable says nothing else
	sharp bool         // switches have one port more, with an aggregation node
	vfs   int          // virtual ports of each adapter
}

type planNode struct {
	typ    ib.NodeType
	subnet uint8 // of a router: that of port 1
	lid    ib.LID
	gsiOf  int32   // index of the SMI device plus 1, of the GSI device of a pair
	dev    *device // nil: what the generation has
	guid   ib.GUID
	image  ib.GUID // system image GUID
	name   string
	ports  []plug // by port number; entry 0 unused
}

// plug is where a port's cable goes; peer is -1 without one.
type plug struct {
	peer  int32
	port  uint8
	width ib.LinkWidth // 0: that of the fabric
}

func (p *plan) add(t ib.NodeType, name string, ports int, guid ib.GUID) int {
	n := planNode{typ: t, name: name, guid: guid, image: guid, ports: make([]plug, ports+1)}
	for i := range n.ports {
		n.ports[i].peer = -1
	}
	p.nodes = append(p.nodes, n)
	return len(p.nodes) - 1
}

// adapter adds the adapter of a machine with that number, from 0: a channel
// adapter with one port.
func (p *plan) adapter(host string, num int) int {
	return p.addAdapter(host+" "+p.gen.adapterName(num), 1)
}

func (p *plan) addAdapter(description string, ports int) int {
	return p.add(ib.NodeCA, description, ports, adapterGUIDs+p.number()*4)
}

// number is that of the next node, from 1. GUIDs come from it.
func (p *plan) number() ib.GUID { return ib.GUID(len(p.nodes) + 1) }

// host adds the only adapter of a machine.
func (p *plan) host(name string) int { return p.adapter(name, 0) }

// newSwitch adds a switch, described as switch software does. With SHARP it has
// a port more than asked for, with an aggregation node.
func (p *plan) newSwitch(name string, ports int) int {
	description := "MF0;" + name + ":" + p.gen.switchModel + "/U1"
	if !p.sharp {
		return p.addSwitch(description, ports)
	}
	sw := p.addSwitch(description, ports+1)
	p.aggregate(sw, ports+1)
	return sw
}

func (p *plan) addSwitch(description string, ports int) int {
	return p.add(ib.NodeSwitch, description, ports, switchGUIDs+p.number()*switchGUIDStep)
}

// aggregate puts an aggregation node on a port of a switch.
func (p *plan) aggregate(sw, port int) {
	an := p.add(ib.NodeCA, "Mellanox Technologies Aggregation Node", 1, p.nodes[sw].guid+8)
	p.nodes[an].image = p.nodes[sw].image
	p.nodes[an].dev = &aggregationNode
	p.cable(an, 1, sw, port)
}

// router adds a router with a port in each of the subnets from 0 on.
func (p *plan) router(name string, ports int) int {
	return p.add(ib.NodeRouter, "MF0;"+name+":"+p.gen.switchModel+"/U1/RT", ports, routerGUIDs+p.number()*routerGUIDStep)
}

func (p *plan) cable(a, aPort, b, bPort int) { p.cableWide(a, aPort, b, bPort, 0) }

func (p *plan) cableWide(a, aPort, b, bPort int, width ib.LinkWidth) {
	p.nodes[a].ports[aPort] = plug{int32(b), uint8(bPort), width}
	p.nodes[b].ports[bPort] = plug{int32(a), uint8(aPort), width}
}

// isAdapter is whether a node is the adapter of a machine: aggregation nodes
// are not.
func (n *planNode) isAdapter() bool { return n.typ == ib.NodeCA && n.dev == nil }

// finish is the end of a generator.
func (p *plan) finish() (*fabric.Fabric, error) { return p.build(), nil }

// checkSize refuses what is too large to be made, in the name of the parameter
// that has most to do with it. Counts may be negative or wrong once they are
// far beyond the bounds.
func checkSize(op, param string, value any, switches, radix, hosts int) error {
	if hosts > maxHosts || hosts < 0 {
		return &Error{Op: op, Param: param, Value: fmt.Sprint(value), Detail: fmt.Sprintf(
			"gives more than %d hosts", maxHosts)}
	}
	if switches < 0 || switches > maxPorts/radix {
		return &Error{Op: op, Param: param, Value: fmt.Sprint(value), Detail: fmt.Sprintf(
			"gives more than %d switches with %d ports", maxPorts/radix, radix)}
	}
	return nil
}

// digits is how long the numbers of count hosts are: all alike, 4 at least.
func digits(count int) int { return max(4, len(fmt.Sprint(count))) }
