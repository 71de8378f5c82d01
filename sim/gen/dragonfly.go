package gen

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

const maxGroups = 4096

// DragonflyOptions describe a dragonfly. Zero fields have the defaults given.
type DragonflyOptions struct {
	Groups   int // 1…4096; as many as one link between any two allows
	Switches int // in a group, 1…253; 4
	Hosts    int // on each switch, 1…253; half of Switches
	Global   int // links of each switch to other groups, 1…253; half of Switches
	Speed    ib.LinkSpeed
}

// Dragonfly makes a dragonfly: groups of switches that all have a link to each
// other, and links between the groups, the same number between any two. Ports
// of a switch: hosts, the others of its group, links to other groups. The full
// one has Switches·Global+1 groups, with one link between any two.
func Dragonfly(o DragonflyOptions) (*fabric.Fabric, error) {
	const op = "dragonfly"
	fill(&o.Switches, 4)
	fill(&o.Hosts, max(1, o.Switches/2))
	fill(&o.Global, max(1, o.Switches/2))
	fill(&o.Groups, min(o.Switches*o.Global+1, maxGroups))
	radix := o.Hosts + o.Switches - 1 + o.Global
	if err := checkRanges(op, []bounded{
		{"switches", o.Switches, 253},
		{"hosts", o.Hosts, 253},
		{"global", o.Global, 253},
		{"groups", o.Groups, maxGroups},
	}); err != nil {
		return nil, err
	}
	if radix > maxRadix {
		return nil, &Error{Op: op, Param: "switches", Value: fmt.Sprint(o.Switches), Detail: fmt.Sprintf(
			"needs switches with %d ports, but they have at most %d", radix, maxRadix)}
	}
	count := o.Groups * o.Switches
	if err := checkSize(op, "groups", o.Groups, count, radix, count*o.Hosts); err != nil {
		return nil, err
	}
	p, err := newPlan(op, o.Speed, 0)
	if err != nil {
		return nil, err
	}
	for i := range count {
		g, s := i/o.Switches, i%o.Switches
		p.newSwitch(fmt.Sprintf("g%03dsw%02d", g+1, s+1), radix)
		for other := range s { // the ports are in the order of the other switches
			p.cable(i, o.Hosts+1+other, i-s+other, o.Hosts+s)
		}
	}
	width := digits(count * o.Hosts)
	for i := range count * o.Hosts {
		p.cable(p.host(fmt.Sprintf("node%0*d", width, i+1)), 1, i/o.Hosts, i%o.Hosts+1)
	}
	first := o.Hosts + o.Switches
	slot := func(group, n int) end { return end{group*o.Switches + n%o.Switches, first + n/o.Switches} }
	if err := p.joinGroups(op, o.Groups, o.Switches*o.Global, slot); err != nil {
		return nil, err
	}
	return p.finish()
}

// joinGroups plans the links between groups that have that many ports for them:
// the same number between any two, as many as there are ports for. Slot n of a
// group, from 0, is a port of it; neighbouring slots are on different switches,
// so that the links to a group spread over them.
func (p *plan) joinGroups(op string, groups, slots int, slot func(group, n int) end) error {
	if groups == 1 {
		return nil
	}
	each := slots / (groups - 1)
	if each == 0 {
		return &Error{Op: op, Param: "groups", Value: fmt.Sprint(groups), Detail: fmt.Sprintf(
			"must be at most %d, for a group has %d ports for links to others", slots+1, slots)}
	}
	for a := range groups {
		for b := a + 1; b < groups; b++ {
			for k := range each {
				from, to := slot(a, (b-1)*each+k), slot(b, a*each+k)
				p.cable(from.node, from.port, to.node, to.port)
			}
		}
	}
	return nil
}

// bounded is a parameter and the range of its values, from 1.
type bounded struct {
	param string
	value int
	most  int
}

// checkRanges refuses the first parameter that is out of its range.
func checkRanges(op string, list []bounded) error {
	for _, b := range list {
		if b.value < 1 || b.value > b.most {
			return outOfRange(op, b.param, b.value, 1, b.most)
		}
	}
	return nil
}
