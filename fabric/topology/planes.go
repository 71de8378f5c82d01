package topology

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// findPlanes gives each switch chip of a planarised fabric its plane. An adapter
// there has a port in each plane, and one port GUID for all of them: the number
// of the port is that of the plane. From the chips with adapters the planes spread
// up; links between the chips of one box join planes and do not count.
func (c *classifier) findPlanes() {
	votes := map[*fabric.Node]map[int]int{}
	for n := range c.f.CAs() {
		if c.Place(n).Role.IsHost() && isPlanar(n) {
			c.vote(n, votes)
		}
	}
	var queue []*fabric.Node
	for n := range c.f.Switches() {
		if counts := votes[n]; counts != nil {
			c.Place(n).Plane = winner(counts)
			queue = append(queue, n)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		for p := range n.Ports() {
			far, ok := otherSwitch(p)
			if !ok || isOneBox(n, far) || c.Place(far).Plane != 0 {
				continue
			}
			c.Place(far).Plane = c.Place(n).Plane
			queue = append(queue, far)
		}
	}
	for i := range c.Places {
		c.Planes = max(c.Planes, c.Places[i].Plane)
	}
}

// vote notes which chips the ports of an adapter are on.
func (c *classifier) vote(n *fabric.Node, votes map[*fabric.Node]map[int]int) {
	for p := range n.Ports() {
		if far, ok := otherSwitch(p); ok {
			if votes[far] == nil {
				votes[far] = map[int]int{}
			}
			votes[far][p.Num()]++
		}
	}
}

// winner is the plane with the most votes, the lowest of several.
func winner(counts map[int]int) int {
	best := 0
	for plane, n := range counts {
		if n > counts[best] || n == counts[best] && plane < best {
			best = plane
		}
	}
	return best
}

// isPlanar reports whether all linked ports of an adapter are one to programs:
// one port GUID and one LID, which a manager that has not come yet may still owe.
// Port GUIDs alone do not tell: files do not have them all.
func isPlanar(n *fabric.Node) bool {
	var first *fabric.Port
	linked := 0
	for p := range n.Ports() {
		if p.Remote() == nil {
			continue
		}
		if first == nil {
			first = p
		}
		if p.GUID() != first.GUID() || p.LID() != first.LID() {
			return false
		}
		linked++
	}
	return linked > 1 && (first.LID() != 0 || n.Info().DeviceID == connectX8)
}

// connectX8 is the first adapter with several planes.
const connectX8 = 0x1023

// otherSwitch is the switch at the other end of a port's cable.
func otherSwitch(p *fabric.Port) (*fabric.Node, bool) {
	far := p.Remote()
	if far == nil || far.Node() == p.Node() || far.Node().Type() != ib.NodeSwitch {
		return nil, false
	}
	return far.Node(), true
}

func isOneBox(a, b *fabric.Node) bool {
	image := a.Info().SystemImageGUID
	return image != 0 && image == b.Info().SystemImageGUID
}
