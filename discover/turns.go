package discover

// turns are the nodes that may be asked something, each served in turn. Switches come
// before all others: where the window or the link is full, those wait that have little
// to tell, and that nobody waits for.
type turns struct{ switches, others turn }

// turn is a line of nodes.
type turn struct {
	nodes  []*node
	memory []*node // of nodes, for enqueue
}

func (t *turns) add(n *node) {
	n.ready = true
	if n.isSwitch() {
		t.switches.add(n)
	} else {
		t.others.add(n)
	}
}

// next takes the next node, nil for none.
func (t *turns) next() *node {
	if n := t.switches.next(); n != nil {
		return n
	}
	return t.others.next()
}

// isEmpty reports whether nobody may be asked anything.
func (t *turns) isEmpty() bool { return !t.switches.hasWork() && !t.others.hasWork() }

func (t *turn) add(n *node) { t.nodes, t.memory = enqueue(t.nodes, t.memory, n) }

// next passes over nodes that have nothing to be asked any more.
func (t *turn) next() *node {
	for len(t.nodes) > 0 {
		n := t.nodes[0]
		t.nodes = t.nodes[1:]
		n.ready = false
		if n.hasQuestions() {
			return n
		}
	}
	return nil
}

func (t *turn) hasWork() bool {
	for _, n := range t.nodes {
		if n.hasQuestions() {
			return true
		}
	}
	return false
}

// hasQuestions reports whether there is something to ask the node, and any sense in it.
func (n *node) hasQuestions() bool { return n.health == alive && n.questions.count() > 0 }
