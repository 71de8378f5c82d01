package fabric

import (
	"iter"
	"slices"

	"github.com/ibscope/ibscope/ib"
)

// placeVoltaire finds the slot of a switch in a Voltaire chassis: which ports
// of the boards around it its own ports are wired to tells where it is.
func (g *grouper) placeVoltaire(n *Node) {
	if g.found[n.index] {
		return
	}
	g.found[n.index] = true
	device := n.Info().DeviceID
	line, spine := lineKindOf(device), spineKindOf(device)
	switch {
	case isVoltaireRouter(device):
		for p := range linkedPorts(n, n.NumPorts()) {
			g.placeRouter(n, p.remote)
		}
	case spine != nil:
		g.placeSpine(n, spine)
		setExternal(n, spine.external)
	case line != nil:
		g.placeLine(n, line)
		setExternal(n, line.external)
	}
}

// linkedPorts yields the ports 1…last that have a peer.
func linkedPorts(n *Node, last int) iter.Seq[*Port] {
	return func(yield func(*Port) bool) {
		for num := 1; num <= last; num++ {
			if p := n.Port(num); p != nil && p.remote != nil && !yield(p) {
				return
			}
		}
	}
}

// innerPorts yields the linked ports of a spine that stay in the chassis.
func innerPorts(n *Node, kind *spineKind) iter.Seq[*Port] {
	if kind.internal != 0 {
		return linkedPorts(n, min(kind.internal, n.NumPorts()))
	}
	return linkedPorts(n, n.NumPorts())
}

// placeSpine places a spine by the first switch that it is wired to, and the
// router modules behind its ports.
func (g *grouper) placeSpine(n *Node, kind *spineKind) {
	for p := range innerPorts(n, kind) {
		peer := p.remote
		switch {
		case peer.node.typ != ib.NodeSwitch:
			if !g.found[peer.node.index] {
				g.found[peer.node.index] = g.placeRouter(peer.node, p)
			}
		case n.slot.Kind == SlotNone:
			slot, chip := kind.fromLine(peer.Num())
			n.slot = Slot{Kind: SlotSpine, Number: slot, Chip: chip, Type: kind.chassis}
		}
	}
}

// placeRouter places a router module by the spine port that it is wired to.
func (g *grouper) placeRouter(n *Node, spinePort *Port) bool {
	kind := spineKindOf(spinePort.node.Info().DeviceID)
	if kind == nil {
		return false
	}
	if kind.toRouter == nil {
		g.complain(n, "is wired to port %d of node %s, a spine of an %s, which takes no routers",
			spinePort.num, spinePort.node.guid, kind.chassis)
		return false
	}
	slot, chip := kind.toRouter(spinePort.node, spinePort.Num())
	n.slot = Slot{Kind: SlotRouter, Number: slot, Chip: chip, Type: kind.chassis}
	return true
}

// placeLine places a line board by the first spine that it is wired to.
func (g *grouper) placeLine(n *Node, kind *lineKind) {
	for p := range linkedPorts(n, min(kind.internal, n.NumPorts())) {
		n.slot = Slot{Kind: SlotLine}
		spine := spineKindOf(p.remote.node.Info().DeviceID)
		if spine == nil {
			g.complain(n, "is a line board, but its port %d is wired to node %s, which is no spine",
				p.num, p.remote.node.guid)
			return
		}
		slot, chip := spine.toLine(p.remote.Num())
		n.slot = Slot{Kind: SlotLine, Number: slot, Chip: chip, Type: spine.chassis}
		return
	}
}

func setExternal(n *Node, number func(chip, port int) int) {
	if number == nil || n.slot.Chip < 1 || n.slot.Chip > 2 {
		return
	}
	for p := range n.Ports() {
		p.external = uint8(number(n.slot.Chip, p.Num()))
	}
}

// buildVoltaire makes a chassis around each spine that is in none yet.
func (g *grouper) buildVoltaire() {
	for _, n := range slices.Backward(g.f.nodes) {
		info := n.Info()
		if n.typ != ib.NodeSwitch || info.VendorID != vendorVoltaire ||
			n.chassis != nil || spineKindOf(info.DeviceID) == nil {
			continue
		}
		c := g.newGroup(0)
		g.number(c)
		g.seatSpine(n, c.Chassis)
		g.seatLinesOf(n, c.Chassis)
		// Line boards lead to further spines, and these to further boards and
		// to routers; two rounds reach all of them.
		for range 2 {
			for _, line := range c.Lines {
				g.seatSpinesOf(line, c.Chassis)
			}
			for _, spine := range c.Spines {
				g.seatLinesOf(spine, c.Chassis)
			}
		}
		if i := slices.IndexFunc(c.Spines, func(n *Node) bool { return n != nil }); i > 0 {
			c.GUID = c.Spines[i].guid - 1
		}
	}
}

func (g *grouper) seatSpine(n *Node, c *Chassis) {
	kind := spineKindOf(n.Info().DeviceID)
	if kind == nil {
		g.complain(n, "is wired to a line board, but is no spine")
		return
	}
	index := kind.chips*(n.slot.Number-1) + n.slot.Chip
	if index < 1 || index > maxSpines {
		g.complain(n, "has no place that a spine can have (%s)", n.slot)
		return
	}
	g.seat(&c.Spines, maxSpines, index, n, c)
}

// seatLinesOf seats the line boards and routers that a spine is wired to.
func (g *grouper) seatLinesOf(spine *Node, c *Chassis) {
	if spine == nil {
		return
	}
	kind := spineKindOf(spine.Info().DeviceID)
	if kind == nil {
		return
	}
	for p := range innerPorts(spine, kind) {
		if n := p.remote.node; g.found[n.index] {
			g.seatLine(n, c)
		}
	}
}

// chipsPerLine is the number of line indexes that a slot takes, except that a
// line board of an ISR4700 has one chip.
const chipsPerLine = 3

func (g *grouper) seatLine(n *Node, c *Chassis) {
	device := n.Info().DeviceID
	kind := lineKindOf(device)
	if kind == nil && n.slot.Kind != SlotRouter {
		g.complain(n, "is wired to a spine, but is neither line board nor router")
		return
	}
	index := chipsPerLine*(n.slot.Number-1) + n.slot.Chip
	if kind != nil && kind.internal == 18 {
		index = n.slot.Number
	}
	if index < 1 || index > maxLines {
		g.complain(n, "has no place that a line board can have (%s)", n.slot)
		return
	}
	g.seat(&c.Lines, maxLines, index, n, c)
}

// seatSpinesOf seats the spines that a line board is wired to.
func (g *grouper) seatSpinesOf(line *Node, c *Chassis) {
	if line == nil {
		return
	}
	kind := lineKindOf(line.Info().DeviceID)
	if kind == nil {
		return
	}
	for p := range linkedPorts(line, min(kind.internal, line.NumPorts())) {
		if n := p.remote.node; g.found[n.index] {
			g.seatSpine(n, c)
		}
	}
}
