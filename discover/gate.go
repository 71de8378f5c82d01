package discover

import "time"

// gate orders the probes by distance: a probe from a node at depth d waits until
// everything that could still prove a link of depth d from nearer by is answered.
// In a fabric without links between nodes of one depth, as fat trees are, no
// link is then probed from both ends.
//
// The gate does not wait for what is slow: see patience.
type gate struct {
	level   int           // probes of nodes up to this depth may go
	pending []int         // by depth: PortInfo and probes not yet answered
	held    [][]heldProbe // by depth: probes not yet sent
	flying  []*task       // counted tasks in flight, oldest first; nil once done
	longest time.Duration // longest round trip of a first try
}

// heldProbe is a probe that waits for its turn.
type heldProbe struct {
	node *node
	port uint8
}

// slowAfter is the least time after which a request counts as slow. It is far
// above the answer time of a busy agent, and far below the usual timeout.
const slowAfter = 250 * time.Millisecond

func (g *gate) grow(depth int) {
	for len(g.pending) <= depth {
		g.pending = append(g.pending, 0)
		g.held = append(g.held, nil)
	}
}

// add counts a question to the node.
func (g *gate) add(n *node) {
	if n.stalled {
		return
	}
	g.grow(n.depth)
	n.gated++
	g.pending[n.depth]++
}

// hold takes a probe until its depth's turn comes.
func (g *gate) hold(n *node, port uint8) {
	g.grow(n.depth)
	g.pending[n.depth]++
	g.held[n.depth] = append(g.held[n.depth], heldProbe{n, port})
}

// next gives the next probe whose turn has come.
func (g *gate) next() (heldProbe, bool) {
	for depth := range min(g.level+1, len(g.held)) {
		if held := g.held[depth]; len(held) > 0 {
			g.held[depth] = held[1:]
			return held[0], true
		}
	}
	return heldProbe{}, false
}

// skip drops a probe that next gave and that need not be sent.
func (g *gate) skip(p heldProbe) {
	g.pending[p.node.depth]--
	g.advance()
}

// sent notes a task in flight.
func (g *gate) sent(t *task) {
	if t.gated {
		g.flying = append(g.flying, t)
	}
}

// done notes the end of a task, after all that follows from it has been added.
func (g *gate) done(t *task, now time.Time) {
	if t.request.Tries == 1 && t.request.Err == nil {
		g.longest = max(g.longest, now.Sub(t.sent))
	}
	if t.gated {
		g.uncount(t)
	}
	t.gated = false
	for len(g.flying) > 0 && !g.flying[0].gated {
		g.flying = g.flying[1:]
	}
	g.advance()
}

func (g *gate) uncount(t *task) {
	switch n := t.node; {
	case t.step.isProbe():
		g.pending[n.depth]--
	case n.gated > 0:
		n.gated--
		g.pending[n.depth]--
	}
}

// release stops waiting for a node.
func (g *gate) release(n *node) {
	g.grow(n.depth)
	g.pending[n.depth] -= n.gated
	n.gated = 0
	g.advance()
}

// advance opens the next depths while nothing nearer is pending.
func (g *gate) advance() {
	for g.level+1 < len(g.pending) {
		for _, n := range g.pending[:g.level+1] {
			if n > 0 {
				return
			}
		}
		g.level++
	}
}

// openNext opens the nearest depth that holds probes, whatever is pending; it
// reports false when none is held.
func (g *gate) openNext() bool {
	for depth, held := range g.held {
		if len(held) > 0 {
			g.level = max(g.level, depth)
			return true
		}
	}
	return false
}

// patience is how long the gate should still wait for the oldest task in flight;
// false when no probe is held back, so that nothing depends on it.
func (g *gate) patience(now time.Time) (time.Duration, bool) {
	if len(g.flying) == 0 {
		return 0, false
	}
	for depth := g.level + 1; depth < len(g.held); depth++ {
		if len(g.held[depth]) > 0 {
			return max(g.slow()-now.Sub(g.flying[0].sent), time.Millisecond), true
		}
	}
	return 0, false
}

func (g *gate) slow() time.Duration { return max(slowAfter, 4*g.longest) }

// giveUpOnSlow stops waiting for tasks that are slow, and for the other
// questions to the node of a slow one.
func (g *gate) giveUpOnSlow(now time.Time) {
	for len(g.flying) > 0 {
		t := g.flying[0]
		if t.gated && now.Sub(t.sent) < g.slow() {
			break
		}
		g.flying = g.flying[1:]
		if !t.gated {
			continue
		}
		t.gated = false
		if t.step.isProbe() {
			g.pending[t.node.depth]--
		} else {
			g.release(t.node)
			t.node.stalled = true
		}
	}
	g.advance()
}
