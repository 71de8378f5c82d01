package diff

import (
	"fmt"
	"strconv"

	"github.com/ibscope/ibscope/fabric"
)

// findReplaced finds the nodes of A that B does not have, and in whose place B has
// another one: all of its links that moved lead to that one, at the same ports.
func (c *comparison) findReplaced() {
	no, by := map[id]bool{}, map[id]id{}
	for _, p := range c.links {
		if p.kind != moved {
			continue
		}
		gone, come := c.endA(p.a[1]), c.endB(p.b[1])
		if c.inB[gone.node] != nil || no[gone.node] {
			continue
		}
		before, seen := c.replaced[gone.node]
		other, taken := by[come.node]
		fits := c.inA[come.node] == nil && gone.port == come.port &&
			c.inA[gone.node].Type() == c.inB[come.node].Type() &&
			(!seen || before == come.node) && (!taken || other == gone.node)
		if !fits {
			no[gone.node] = true
			delete(c.replaced, gone.node)
			continue
		}
		c.replaced[gone.node], by[come.node] = come.node, gone.node
	}
}

// compareNodes lists the differences of nodes.
func (c *comparison) compareNodes() {
	isNew := map[id]bool{}
	for i := range c.inA {
		a, b := c.inA[i], c.inB[i]
		switch now, is := c.replaced[id(i)]; {
		case is && !isNew[now]:
			isNew[now] = true
			c.add(Change{Subject: Node, Op: Replaced, A: Place{Node: a}, B: Place{Node: c.inB[now]}})
		case b == nil:
			c.add(Change{Subject: Node, Op: OnlyA, A: Place{Node: a}})
		case a == nil && !isNew[id(i)]:
			c.add(Change{Subject: Node, Op: OnlyB, B: Place{Node: b}})
		case a != nil:
			c.compareNode(a, b)
		}
	}
}

func (c *comparison) compareNode(a, b *fabric.Node) {
	differ := func(f Field, before, now string) {
		c.differ(Node, Place{Node: a}, Place{Node: b}, f, before, now)
	}
	before, now := a.Info(), b.Info()
	differ(Type, a.Type().String(), b.Type().String())
	if a.HasDescription() && b.HasDescription() {
		differ(Description, a.Description(), b.Description())
	}
	differ(NumPorts, strconv.Itoa(a.NumPorts()), strconv.Itoa(b.NumPorts()))
	differ(SystemImageGUID, before.SystemImageGUID.String(), now.SystemImageGUID.String())
	differ(VendorID, fmt.Sprintf("%#x", before.VendorID), fmt.Sprintf("%#x", now.VendorID))
	differ(DeviceID, fmt.Sprintf("%#x", before.DeviceID), fmt.Sprintf("%#x", now.DeviceID))
	was, hadA := a.Firmware()
	is, hasB := b.Firmware()
	if hadA && hasB {
		differ(Firmware, was.Version, is.Version)
	}
	differ(Revision, fmt.Sprintf("%#x", before.Revision), fmt.Sprintf("%#x", now.Revision))
}
