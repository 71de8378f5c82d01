package discover

// questions are what is still to be asked of a node, by how much depends on it. Behind a
// port there may be a switch with all its ports, and what is found last has all its work
// still to do then: so ports that lead to nobody new are asked last.
type questions struct{ lines [urgencies][]step }

// urgency is the line of a question. It is found out when its turn comes, and again in
// each later line.
type urgency uint8

const (
	opensUp urgency = iota // who is behind the port is not known, or the question is of no port
	isGuess                // somebody known is guessed to be behind the port
	isKnown                // who is behind the port is known
	urgencies
)

// reserve makes room for some questions in each line.
func (q *questions) reserve(count int) {
	memory := make([]step, int(urgencies)*count)
	for i := range q.lines {
		q.lines[i] = memory[i*count : i*count : (i+1)*count]
	}
}

func (q *questions) add(st step) { q.lines[opensUp] = append(q.lines[opensUp], st) }

func (q *questions) count() (n int) {
	for _, line := range q.lines {
		n += len(line)
	}
	return n
}

// take takes all questions, in any order.
func (q *questions) take() (all []step) {
	for i, line := range q.lines {
		all = append(all, line...)
		q.lines[i] = nil
	}
	return all
}

// next takes the next question of n, which has one.
func (q *questions) next(n *node) step {
	for u := opensUp; ; {
		line := q.lines[u]
		if len(line) == 0 {
			u++
			continue
		}
		st := line[0]
		q.lines[u] = line[1:]
		now := n.urgency(st, u)
		if now == u {
			return st
		}
		q.lines[now] = append(q.lines[now], st)
	}
}

// urgency is the line that a question belongs to, which has come to the front of a line.
func (n *node) urgency(st step, line urgency) urgency {
	switch {
	case line == isKnown || st.kind != askPortInfo || st.port == 0 || !n.isSwitch():
		return line
	case n.behindPort(int(st.port)) != nil:
		return isKnown
	case line == opensUp && n.guess(int(st.port)) != nil:
		return isGuess
	}
	return line
}

// left is how many questions the node has still to answer.
func (n *node) left() int { return n.questions.count() + n.inFlight }
