package diff

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// pair is a link of A and the one of B that has its place. Either may be missing.
// Of a link that has moved, the first end is the one that is the same in both.
type pair struct {
	a, b [2]*fabric.Port
	kind pairKind
}

type pairKind uint8

const (
	same pairKind = iota
	moved
	onlyA
	onlyB
)

// ends are the ends of a link, the lower one first.
type ends [2]end

func ordered(p, q end) ends {
	if q.node < p.node || q.node == p.node && q.port < p.port {
		p, q = q, p
	}
	return ends{p, q}
}

// pairLinks finds the links that both fabrics have, and those of one that another
// one of the other has the place of.
func (c *comparison) pairLinks() {
	inB := map[ends]fabric.Link{}
	at := map[end]fabric.Link{} // of the links that only B has
	for l := range c.b.Links() {
		k := ordered(c.endB(l.A), c.endB(l.B))
		inB[k] = l
		at[k[0]], at[k[1]] = l, l
	}
	var lost []fabric.Link
	both := map[ends]bool{}
	for l := range c.a.Links() {
		k := ordered(c.endA(l.A), c.endA(l.B))
		other, found := inB[k]
		if !found {
			lost = append(lost, l)
			continue
		}
		if both[k] {
			continue // the other way of a link that each end tells for itself
		}
		both[k] = true
		delete(at, k[0])
		delete(at, k[1])
		p := pair{a: [2]*fabric.Port{l.A, l.B}, b: [2]*fabric.Port{other.A, other.B}}
		if c.endB(other.A) != c.endA(l.A) {
			p.b[0], p.b[1] = p.b[1], p.b[0]
		}
		c.links = append(c.links, p)
	}
	taken := map[fabric.Link]bool{}
	for _, l := range lost {
		c.links = append(c.links, c.pairLost(l, at, taken))
	}
	for l := range c.b.Links() {
		if k := ordered(c.endB(l.A), c.endB(l.B)); !both[k] && !taken[l] {
			c.links = append(c.links, pair{b: [2]*fabric.Port{l.A, l.B}, kind: onlyB})
		}
	}
	c.touch()
}

// pairLost finds where a link of A has moved to. An adapter counts as the end that
// stays, for cables are moved between switch ports.
func (c *comparison) pairLost(l fabric.Link, at map[end]fabric.Link, taken map[fabric.Link]bool) pair {
	stay := [2]*fabric.Port{l.A, l.B}
	if l.A.Node().Type() == ib.NodeSwitch && l.B.Node().Type() != ib.NodeSwitch {
		stay[0], stay[1] = l.B, l.A
	}
	for i, p := range stay {
		e := c.endA(p)
		other, found := at[e]
		if !found || taken[other] {
			continue
		}
		taken[other] = true
		there := [2]*fabric.Port{other.A, other.B}
		if c.endB(there[0]) != e {
			there[0], there[1] = there[1], there[0]
		}
		return pair{a: [2]*fabric.Port{p, stay[1-i]}, b: there, kind: moved}
	}
	return pair{a: [2]*fabric.Port{l.A, l.B}, kind: onlyA}
}

// touch notes the ports whose link is not the same in both.
func (c *comparison) touch() {
	for _, p := range c.links {
		if p.kind == same {
			continue
		}
		for i := range 2 {
			if p.a[i] != nil {
				c.touched[c.endA(p.a[i])] = true
			}
			if p.b[i] != nil {
				c.touched[c.endB(p.b[i])] = true
			}
		}
	}
}

// compareLinks lists the links that are not the same, and of the others what they
// run at.
func (c *comparison) compareLinks() {
	for _, p := range c.links {
		switch p.kind {
		case same:
			c.compareRates(p)
		case moved:
			if now, is := c.replaced[c.endA(p.a[1]).node]; !is || now != c.endB(p.b[1]).node {
				c.add(Change{Subject: Link, Op: Moved, A: link(p.a), B: link(p.b)})
			}
		case onlyA:
			c.add(Change{Subject: Link, Op: OnlyA, A: link(p.a)})
		case onlyB:
			c.add(Change{Subject: Link, Op: OnlyB, B: link(p.b)})
		}
	}
}

func link(p [2]*fabric.Port) Place { return Place{Node: p[0].Node(), Port: p[0], Peer: p[1]} }

// compareRates compares what a link runs at: as its first end tells, or the other
// one where that tells the same of both.
func (c *comparison) compareRates(p pair) {
	for i := range 2 {
		if p.a[i].InfoBytes() == nil || p.b[i].InfoBytes() == nil {
			continue
		}
		before, now := p.a[i].Active(), p.b[i].Active()
		if before == now {
			continue
		}
		a, b := link([2]*fabric.Port{p.a[i], p.a[1-i]}), link([2]*fabric.Port{p.b[i], p.b[1-i]})
		c.differ(Link, a, b, Width, before.Width.String(), now.Width.String())
		c.differ(Link, a, b, Speed, before.Speed.String(), now.Speed.String())
		return
	}
}
