package event

import (
	"slices"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// goneNode is a node that has vanished.
type goneNode struct {
	end    End
	since  time.Time
	when   span   // in which it vanished
	id     uint64 // of the event; 0 where none was told
	links  []goneLink
	lids   map[int]ib.LID
	hidden bool // its only link is flapping, which is told in its place
}

type goneLink struct {
	port int
	far  portKey
	text string // the far end, for people
}

// maxGone bounds the nodes that are remembered.
const maxGone = 1 << 16

// groups are nodes that vanished, or came, together: which of them stand at the border
// to what is there, and for each of the others by which of these it hangs.
type groups struct {
	order []*fabric.Node // the roots, each followed by what hangs by it
	root  map[*fabric.Node]*fabric.Node
	count map[*fabric.Node]uint64
}

// group finds the groups of nodes of one fabric. A node at the border is a root: of a
// dead switch the ports at its other switches are down, but the hosts behind it have no
// other way.
func group(list []*fabric.Node, among map[*fabric.Node]bool) *groups {
	g := &groups{root: map[*fabric.Node]*fabric.Node{}, count: map[*fabric.Node]uint64{}}
	var queue []*fabric.Node
	for _, n := range list {
		if atBorder(n, among) {
			g.root[n] = n
			queue = append(queue, n)
		}
	}
	for i := 0; i < len(queue); i++ {
		n := queue[i]
		for p := range n.Ports() {
			r := p.Remote()
			if r == nil || !among[r.Node()] || g.root[r.Node()] != nil {
				continue
			}
			g.root[r.Node()] = g.root[n]
			g.count[g.root[n]]++
			queue = append(queue, r.Node())
		}
	}
	for _, n := range list {
		if g.root[n] == nil { // nothing is known of how it hangs together with the rest
			g.root[n] = n
		}
	}
	g.order = slices.Clone(list)
	slices.SortStableFunc(g.order, func(a, b *fabric.Node) int {
		ra, rb := g.root[a], g.root[b]
		switch {
		case ra != rb:
			return ra.Index() - rb.Index()
		case a == ra:
			return -1
		case b == rb:
			return 1
		}
		return 0
	})
	return g
}

func atBorder(n *fabric.Node, among map[*fabric.Node]bool) bool {
	for p := range n.Ports() {
		if r := p.Remote(); r != nil && !among[r.Node()] {
			return true
		}
	}
	return false
}

// nodesGone tells of nodes that have vanished: of a dead switch one event, and those of
// what hangs by it as its consequences.
func (c *comparison) nodesGone() {
	g := group(c.gone, c.goneNodes)
	ids := map[*fabric.Node]uint64{}
	for _, n := range g.order {
		root := g.root[n]
		var cause uint64
		if root != n {
			cause = ids[root]
		}
		ids[n] = c.nodeGone(n, g.count[n], cause)
	}
	c.forgetNodes()
}

// nodeGone tells of one, and gives what stands for the ID of its event.
func (c *comparison) nodeGone(n *fabric.Node, behind, cause uint64) uint64 {
	e := Event{Kind: NodeVanished, Since: c.when.from, Count: behind, Cause: cause}
	c.place(&e, n)
	g := &goneNode{end: e.At, since: c.now, when: c.when, lids: map[int]ib.LID{}}
	g.end.Port = -1
	c.nodes[n.GUID()] = g
	for p := range n.Ports() {
		if l := p.LID(); l != 0 && (p.Num() == 0 || n.Type() != ib.NodeSwitch) {
			g.lids[p.Num()] = l
		}
		if r := p.Remote(); r != nil {
			g.links = append(g.links, goneLink{p.Num(), portOf(r), short(c.port(r))})
		}
	}
	alone := len(g.links) == 1 && cause == 0 && n.Type() != ib.NodeSwitch
	var only *linkState
	for p := range n.Ports() {
		if r := p.Remote(); r != nil {
			only = c.lose(p, r, falls{absorbs: true, quiet: !alone})
		}
	}
	if alone {
		switch c.flapped(only, 1, e) {
		case startsFlapping, isFlapping:
			g.hidden = true
			return 0
		}
	}
	c.remember(&g.id, e)
	return g.id
}

// forgetNodes keeps the memory of nodes that have vanished within bounds.
func (c *comparison) forgetNodes() {
	for len(c.nodes) > maxGone {
		var oldest ib.GUID
		for guid, g := range c.nodes {
			if first := c.nodes[oldest]; first == nil || g.since.Before(first.since) {
				oldest = guid
			}
		}
		delete(c.nodes, oldest)
	}
}
