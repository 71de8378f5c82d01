package gen

import (
	"errors"
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

const (
	maxSubnets = 64
	maxRouters = 64
)

// SubnetsOptions describe subnets joined by routers. Zero fields have the
// defaults given.
type SubnetsOptions struct {
	Subnets int // 1…64; 2
	Routers int // with a port in each subnet, 1…64; 1
	Hosts   int // of each subnet; 8
	Levels  int // of switches in a subnet, 1…8; 2
	Radix   int // ports of a switch, even, 2…254; 8
	Speed   ib.LinkSpeed
}

// Subnets makes subnets, each a fat tree with a GID prefix and a subnet manager
// of its own, that routers join: a router has a port on a leaf switch of each.
//
// One Fabric holds them all. A sweep goes as far as the routers, as on hardware,
// so from a port it finds the subnet of that port and of each router the port
// there; the start is in the first subnet. LIDs are counted on through all
// subnets, so that each means one port.
func Subnets(o SubnetsOptions) (*fabric.Fabric, error) {
	const op = "subnets"
	fill(&o.Subnets, 2)
	fill(&o.Routers, 1)
	fill(&o.Hosts, 8)
	fill(&o.Levels, 2)
	fill(&o.Radix, 8)
	if err := checkRanges(op, []bounded{
		{"subnets", o.Subnets, maxSubnets},
		{"routers", o.Routers, maxRouters},
		{"hosts", o.Hosts, maxHosts / o.Subnets},
	}); err != nil {
		return nil, err
	}
	tree := fatTree{FatTreeOptions: FatTreeOptions{Levels: o.Levels, Radix: o.Radix, Hosts: o.Hosts + o.Routers, Speed: o.Speed}}
	if err := tree.check(); err != nil {
		return nil, asSubnets(err, o)
	}
	if err := checkSize(op, "subnets", o.Subnets, o.Subnets*tree.switchCount(), o.Radix, o.Subnets*o.Hosts); err != nil {
		return nil, err
	}
	p, err := newPlan(op, o.Speed, 0)
	if err != nil {
		return nil, err
	}
	for r := range o.Routers {
		p.router(fmt.Sprintf("router%02d", r+1), o.Subnets)
	}
	for s := range o.Subnets {
		t, first := tree, len(p.nodes)
		t.plan, t.tier, t.prefix = &p, p.newSwitch, fmt.Sprintf("net%d-", s+1)
		t.host = func(host, _ int) end {
			if host < o.Routers {
				return end{host, s + 1}
			}
			num := s*o.Hosts + host - o.Routers + 1
			return end{p.host(fmt.Sprintf("node%0*d", digits(o.Subnets*o.Hosts), num)), 1}
		}
		t.wire()
		for i := first; i < len(p.nodes); i++ {
			p.nodes[i].subnet = uint8(s)
		}
	}
	return p.finish()
}

// asSubnets is an error of a subnet's tree in the words of the options: its hosts
// are those of the subnet and the routers.
func asSubnets(err error, o SubnetsOptions) error {
	const op = "subnets"
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Param != "hosts" {
		return asOp(err, op)
	}
	return &Error{Op: op, Param: "hosts", Value: fmt.Sprint(o.Hosts), Detail: fmt.Sprintf(
		"with routers=%d it needs %d places, but levels=%d and radix=%d have less", o.Routers, o.Hosts+o.Routers, o.Levels, o.Radix)}
}

// asOp puts the name of another generator into an error.
func asOp(err error, op string) error {
	if e, ok := errors.AsType[*Error](err); ok {
		c := *e
		c.Op = op
		return &c
	}
	return err
}
