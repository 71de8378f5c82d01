package event

import (
	"strings"

	"github.com/ibscope/ibscope/fabric"
)

// nodesCome tells of nodes that were not there before: back in their place, in another
// one, in that of another node, or new.
func (c *comparison) nodesCome() {
	g := group(c.come, c.newNodes)
	ids, outages := map[*fabric.Node]uint64{}, map[*fabric.Node]span{}
	for _, n := range g.order {
		root := g.root[n]
		var cause uint64
		if root != n {
			cause = ids[root]
		}
		if before := c.nodes[n.GUID()]; before != nil {
			outages[n] = before.when
		}
		ids[n] = c.nodeCome(n, g.count[n], cause)
	}
	for _, n := range c.come {
		for p := range n.Ports() {
			if r := p.Remote(); r != nil {
				k := between(portOf(p), portOf(r))
				c.link(k).fall(falls{span: outages[n].union(c.when), absorbs: true, quiet: true})
				c.checkRate(k, p)
				c.cameUp(k)
				c.noteIdle(p)
			}
		}
	}
}

// nodeCome tells of one, and gives what stands for the ID of its event.
func (c *comparison) nodeCome(n *fabric.Node, behind, cause uint64) uint64 {
	e := Event{Kind: NodeAppeared, Since: c.when.from, Count: behind, Cause: cause}
	c.place(&e, n)
	before := c.nodes[n.GUID()]
	if before == nil {
		if other := c.formerAt(n); other != nil {
			c.nodeReplaced(n, other.end, other.id)
			return inBatch | uint64(len(c.out)-1)
		}
		return c.add(e)
	}
	delete(c.nodes, n.GUID())
	c.lidsBack(n, before)
	if before.end.Name != e.At.Name && n.HasDescription() {
		defer func() {
			renamed := Event{Kind: NodeRenamed, Since: before.since, Field: "description", Old: before.end.Name, New: e.At.Name, At: e.At, To: e.To}
			c.add(renamed)
		}()
	}
	e.Again = before.id
	if before.isBackAt(n) {
		if before.hidden {
			return 0
		}
		return c.add(e)
	}
	e.Kind, e.Old, e.New = NodeMoved, before.text(), c.placeText(n)
	return c.add(e)
}

// formerAt is the node that has vanished from where n is now.
func (c *comparison) formerAt(n *fabric.Node) *goneNode {
	var found *goneNode
	for p := range n.Ports() {
		r := p.Remote()
		if r == nil {
			continue
		}
		st := c.downAt[portOf(r)]
		if st == nil {
			continue
		}
		was := st.key[1-st.key.side(portOf(r))]
		g := c.nodes[was.node]
		if g == nil || g.end.Type != n.Type() || was.num != p.Num() || found != nil && found != g {
			return nil
		}
		found = g
	}
	return found
}

// lidsBack compares the LIDs of a node that is back.
func (c *comparison) lidsBack(n *fabric.Node, before *goneNode) {
	for num, lid := range before.lids {
		if p := n.Port(num); p != nil {
			c.lidChanged(lid, p)
		}
	}
}

// isBackAt reports whether a node is where it was: one of its links is there again.
func (g *goneNode) isBackAt(n *fabric.Node) bool {
	for _, l := range g.links {
		if p := n.Port(l.port); p != nil && p.Remote() != nil && portOf(p.Remote()) == l.far {
			return true
		}
	}
	return len(g.links) == 0
}

// text is where a node was, by the other ends of its links.
func (g *goneNode) text() string {
	var list []string
	for _, l := range g.links {
		list = append(list, l.text)
	}
	return someOf(list)
}

// placeText is where a node is.
func (d *Detector) placeText(n *fabric.Node) string {
	var list []string
	for p := range n.Ports() {
		if r := p.Remote(); r != nil {
			list = append(list, short(d.port(r)))
		}
	}
	return someOf(list)
}

// someOf are the first of a list in one text.
func someOf(list []string) string {
	const most = 4
	if len(list) > most {
		list = append(list[:most:most], "…")
	}
	return strings.Join(list, ", ")
}
