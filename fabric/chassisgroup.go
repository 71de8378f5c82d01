package fabric

import (
	"fmt"
	"slices"

	"github.com/ibscope/ibscope/ib"
)

// IEEE company identifiers in NodeInfo.VendorID of the makers of chassis.
const (
	vendorVoltaire    = 0x0008f1
	vendorMellanox    = 0x0002c9
	vendorTopspin     = 0x0005ad // now Cisco
	vendorSilverStorm = 0x00066a // once InfiniCon
	vendorXsigo       = 0x001397
)

// slotByteMask clears the byte of a GUID that Topspin and Xsigo use for the slot.
const slotByteMask ib.GUID = 0xffffffff_00ffffff

// groupChassis finds the chassis, and the places of the nodes in them. Voltaire
// chassis show by their inner wiring and are numbered first; other chassis are
// the nodes with a common system image GUID. A node that cannot be where it
// says is left out of the chassis, and a problem tells of it.
func (f *Fabric) groupChassis() {
	g := &grouper{f: f, found: make([]bool, len(f.nodes)), bad: make(map[*Node]string)}
	g.placeModules()
	g.buildVoltaire()
	g.countGroups()
	g.joinGroups()
	for _, c := range g.groups {
		if c.Number != 0 {
			f.chassis = append(f.chassis, c.Chassis)
		}
	}
	g.reportBad()
}

// grouper holds what grouping needs to know between its passes. Each pass walks
// the nodes from the last to the first, the order of libibnetdisc's lists, for
// the numbers that chassis get depend on it.
type grouper struct {
	f      *Fabric
	found  []bool   // by node index: has a place, or needs none
	groups []*group // in the order of creation, which is that of their numbers
	byGUID map[ib.GUID]*group
	last   int // the last chassis number given
	bad    map[*Node]string
}

// group is what may become a chassis.
type group struct {
	*Chassis
	nodes int // with this GUID
}

func (g *grouper) newGroup(guid ib.GUID) *group {
	c := &group{Chassis: &Chassis{GUID: guid}}
	g.groups = append(g.groups, c)
	return c
}

func (g *grouper) number(c *group) {
	g.last++
	c.Number = g.last
}

// placeModules finds the slots of the modules of director switches.
func (g *grouper) placeModules() {
	for _, n := range slices.Backward(g.f.nodes) {
		if n.typ != ib.NodeSwitch {
			continue
		}
		switch n.Info().VendorID {
		case vendorVoltaire:
			g.placeVoltaire(n)
		case vendorMellanox:
			g.placeMellanox(n)
		}
	}
}

// countGroups counts the nodes of each chassis GUID.
func (g *grouper) countGroups() {
	for _, n := range slices.Backward(g.f.nodes) {
		guid, ok := chassisGUID(n)
		if !ok {
			continue
		}
		if c := g.byGUID[guid]; c != nil {
			c.nodes++
			continue
		}
		g.newGroup(guid).nodes = 1
		if g.byGUID == nil {
			g.indexGroups()
		}
		if g.byGUID[guid] == nil {
			g.byGUID[guid] = g.groups[len(g.groups)-1]
		}
	}
}

// indexGroups makes the table of groups by GUID; of several with one GUID the
// first stays. As in libibnetdisc, the Voltaire chassis come into it only with
// the first group of the other kind.
func (g *grouper) indexGroups() {
	g.byGUID = make(map[ib.GUID]*group)
	for _, c := range g.groups {
		if g.byGUID[c.GUID] == nil {
			g.byGUID[c.GUID] = c
		}
	}
}

// joinGroups makes chassis of the groups with more than one node.
func (g *grouper) joinGroups() {
	for _, n := range slices.Backward(g.f.nodes) {
		guid, ok := chassisGUID(n)
		c := g.byGUID[guid]
		if !ok || c == nil || c.nodes < 2 {
			continue
		}
		if c.Number == 0 {
			g.number(c)
		}
		switch {
		case !g.found[n.index]:
			g.found[n.index] = true
			n.chassis = c.Chassis
			c.Nodes = append(c.Nodes, n)
		case n.Info().VendorID == vendorMellanox:
			g.seatMellanox(n, c.Chassis)
		}
	}
	for _, c := range g.groups {
		slices.Reverse(c.Nodes)
	}
}

// chassisGUID is the GUID that a node shares with the others in its chassis;
// false for nodes that are not grouped this way.
func chassisGUID(n *Node) (ib.GUID, bool) {
	info := n.Info()
	system := info.SystemImageGUID
	switch {
	case info.VendorID == vendorVoltaire || system == 0:
		return 0, false
	case info.VendorID == vendorTopspin || info.VendorID == vendorSilverStorm:
		return system & slotByteMask, true
	case info.VendorID == vendorXsigo || IsXsigo(system):
		return xsigoChassisGUID(n, system), true
	}
	return system, true
}

// seat puts a node into a slot, unless another node is there.
func (g *grouper) seat(slots *[]*Node, slotCount, at int, n *Node, c *Chassis) {
	if *slots == nil {
		*slots = make([]*Node, slotCount+1)
	}
	switch other := (*slots)[at]; {
	case other == n:
	case other != nil:
		g.complain(n, "claims the slot of node %s in its chassis (%s)", other.guid, n.slot)
	case n.chassis != nil && n.chassis != c:
		g.complain(n, "is connected to two chassis (%s)", n.slot)
	default:
		(*slots)[at] = n
		n.chassis = c
	}
}

// complain records what is wrong with the place of a node, once for each node.
func (g *grouper) complain(n *Node, format string, args ...any) {
	if g.bad[n] == "" {
		g.bad[n] = fmt.Sprintf(format, args...)
	}
}

func (g *grouper) reportBad() {
	for _, n := range g.f.nodes {
		if detail := g.bad[n]; detail != "" {
			g.f.problems = append(g.f.problems, Problem{Kind: BadChassis, GUID: n.guid, Port: -1, Detail: detail})
		}
	}
}
