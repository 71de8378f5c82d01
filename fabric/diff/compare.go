package diff

import (
	"slices"

	"github.com/ibscope/ibscope/fabric"
)

// Options tune Compare. Nil or the zero value compares everything.
type Options struct {
	Without []Field // fields that are not compared
}

// Compare lists the differences of two fabrics: first of nodes, in A's order, and
// the nodes that only B has in B's order; then of links and at last of ports, in
// the same order.
//
// Only what both know is compared: an attribute that one of them could not read is
// no difference. What a link's coming, going or moving changes at its ends, as
// their states, is not listed beside it; nor are links that moved because a node
// was replaced.
func Compare(a, b *fabric.Fabric, o *Options) []Change {
	c := newComparison(a, b, o)
	c.pairLinks()
	c.findReplaced()
	c.compareNodes()
	c.compareLinks()
	c.comparePorts()
	return c.changes
}

// id is a node, by the same number in both fabrics.
type id int32

// end is a port by its node's id and its number.
type end struct {
	node id
	port uint8
}

// comparison is the state of a Compare.
type comparison struct {
	without []Field
	changes []Change

	a, b     *fabric.Fabric
	inA, inB []*fabric.Node // by id, nil for nodes that one of them does not have
	idsA     []id           // by index of the node
	idsB     []id

	links    []pair
	replaced map[id]id // nodes of A and those of B in their place
	touched  map[end]bool
}

func newComparison(a, b *fabric.Fabric, o *Options) *comparison {
	c := &comparison{a: a, b: b, replaced: map[id]id{}, touched: map[end]bool{}}
	if o != nil {
		c.without = o.Without
	}
	c.match()
	return c
}

// match gives nodes their ids. Of several with one GUID the first of A is the
// first of B, and so on.
func (c *comparison) match() {
	type claim struct {
		guid uint64
		nth  int
	}
	known := map[claim]id{}
	count := map[uint64]int{}
	number := func(n *fabric.Node) claim {
		g := uint64(n.GUID())
		count[g]++
		return claim{g, count[g]}
	}
	for n := range c.a.Nodes() {
		known[number(n)] = id(len(c.inA))
		c.idsA = append(c.idsA, id(len(c.inA)))
		c.inA, c.inB = append(c.inA, n), append(c.inB, nil)
	}
	clear(count)
	for n := range c.b.Nodes() {
		i, found := known[number(n)]
		if !found {
			i = id(len(c.inA))
			c.inA, c.inB = append(c.inA, nil), append(c.inB, nil)
		}
		c.inB[i] = n
		c.idsB = append(c.idsB, i)
	}
}

func (c *comparison) endA(p *fabric.Port) end { return end{c.idsA[p.Node().Index()], uint8(p.Num())} }

func (c *comparison) endB(p *fabric.Port) end { return end{c.idsB[p.Node().Index()], uint8(p.Num())} }

// add adds a change, unless its field is not to be compared.
func (c *comparison) add(change Change) {
	if change.Field == "" || !slices.Contains(c.without, change.Field) {
		c.changes = append(c.changes, change)
	}
}

// differ adds a change of a field, if its values differ.
func (c *comparison) differ(s Subject, a, b Place, f Field, before, now string) {
	if before != now {
		c.add(Change{Subject: s, Op: Differs, A: a, B: b, Field: f, Old: before, New: now})
	}
}

// at is the place of a port.
func at(p *fabric.Port) Place { return Place{Node: p.Node(), Port: p, Peer: p.Remote()} }
