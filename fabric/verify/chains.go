package verify

// A port has one cable in the plan at most, and one in the fabric. So the cables
// that are not in place and the links that are not planned hang together in chains
// in which one follows the other, plan, fabric, plan: a chain that closes is cables
// in each other's places, and what an open one consists of are ends in wrong ports,
// and one cable at most that is missing or not planned.

// findChains explains what is not in place, in the order of the plan, and then what
// is there without any plan.
func (c *checker) findChains() {
	done := map[*wire]bool{}
	for i := range c.planned {
		w := &c.planned[i]
		if c.plannedAt[w.ends[0]] == w && !done[w] {
			list, closed := c.chain(w)
			c.explain(list, closed, done)
		}
	}
	for l := range c.f.Links() {
		if w := c.thereAt[spotOf(l.A)]; w != nil && !done[w] {
			list, closed := c.chain(w)
			c.explain(list, closed, done)
		}
	}
}

// chain is all that hangs together with a wire, from end to end; a chain that
// closes begins anywhere, with a planned cable, and says so.
func (c *checker) chain(w *wire) (list []*wire, closed bool) {
	list = c.follow(w, w.ends[1])
	if len(list) > 1 && list[len(list)-1] == w {
		return list[:len(list)-1], true
	}
	before := c.follow(w, w.ends[0])
	whole := make([]*wire, 0, len(before)+len(list))
	for i := len(before) - 1; i > 0; i-- {
		whole = append(whole, before[i])
	}
	return append(whole, list...), false
}

// follow goes on from a wire by one of its ends. Where the chain closes the last
// wire is the first one.
func (c *checker) follow(w *wire, by spot) []*wire {
	list := []*wire{w}
	for at := w; ; {
		next := c.plannedAt[by]
		if at.cable != nil {
			next = c.thereAt[by]
		}
		if next == nil || next == at {
			return list
		}
		list = append(list, next)
		if next == w || next.ends[0] == next.ends[1] {
			return list
		}
		at, by = next, next.other(by)
	}
}

// explain makes findings of a chain.
func (c *checker) explain(list []*wire, closed bool, done map[*wire]bool) {
	for _, w := range list {
		done[w] = true
	}
	if closed {
		c.reportSwapped(list)
		return
	}
	alone := -1
	if len(list)%2 == 1 {
		alone = c.loneliest(list)
	}
	for i := 0; i < len(list); i++ {
		switch {
		case i == alone && list[i].cable != nil:
			c.reportMissing(list[i])
		case i == alone:
			c.reportExtra(list[i])
		default:
			c.reportMoved(list[i], list[i+1])
			i++
		}
	}
}

// loneliest is the wire of an odd chain that is best left alone, so that as many as
// possible of the others are ends that have been moved within one node.
func (c *checker) loneliest(list []*wire) int {
	best, most := 0, -1
	for alone := 0; alone < len(list); alone += 2 {
		score := 0
		for i := 0; i+1 < len(list); i++ {
			if i == alone {
				continue
			}
			if p, q := apart(list[i], list[i+1]); p.node == q.node {
				score++
			}
			i++
		}
		if score > most {
			best, most = alone, score
		}
	}
	return best
}

// apart gives the ends of two wires that they do not share.
func apart(v, w *wire) (spot, spot) {
	for _, s := range v.ends {
		for _, t := range w.ends {
			if s == t {
				return v.other(s), w.other(t)
			}
		}
	}
	return v.ends[0], w.ends[0]
}
