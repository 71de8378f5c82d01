package discover

// Who is behind a port can be guessed where switches are cabled alike, as in the rows of
// a tree: port 7 of all the switches of a row leads to the seventh of the next row. A
// guess only has something asked earlier or later, never left out. So a wrong one, as in
// a fabric without such rows, costs no request.

// cable is what guesses need of a link of a switch.
type cable struct {
	far    *node // nil while it is not known
	before *node // the switch that was linked to far before this one, by a port of the same number
}

const (
	// nearby is how many ports away from each other two ports of a switch may be that
	// are taken to lead to the same row.
	nearby = 6
	// mostAlike is how many switches are looked at for a guess.
	mostAlike = 12
)

// guess is the switch that may be behind a port of a switch, whose link is not known
// yet; nil where nothing points to one that is known. The switch behind the nearest port
// tells who is in one row with n: those that it has on the same of their ports. Behind
// the port in question there may be who is behind the same port of these.
func (n *node) guess(port int) *node {
	for away := 1; away <= nearby; away++ {
		for _, other := range [...]int{port - away, port + away} {
			if far := n.behindPort(other); far != nil {
				return far.guessFrom(other, port)
			}
		}
	}
	return nil
}

// guessFrom is the switch behind a port of those that n has on another of their ports.
func (n *node) guessFrom(other, port int) *node {
	if other >= len(n.rows) {
		return nil // not of a switch
	}
	alike := n.rows[other]
	for range mostAlike {
		if alike == nil {
			return nil
		}
		if there := alike.behindPort(port); there != nil && there.rows != nil {
			return there
		}
		alike = alike.cables[other].before
	}
	return nil
}

// behindPort is who is known to be behind a port of a switch, nil for nobody.
func (n *node) behindPort(port int) *node {
	if port < 1 || port >= len(n.cables) {
		return nil
	}
	return n.cables[port].far
}

// noteCable notes who is behind a port.
func (n *node) noteCable(port int, far *node) {
	if port >= len(n.cables) {
		return // not of a switch
	}
	n.cables[port] = cable{far: far}
	if far != nil && port < len(far.rows) && far.rows[port] != n {
		n.cables[port].before = far.rows[port]
		far.rows[port] = n
	}
}

// isBehindAnother reports whether a probe had better wait: the agent that is guessed to
// answer it has more to do than that of n. It asks about its own end of the link anyway,
// and then n answers the probe instead.
func (s *sweep) isBehindAnother(n *node, port int) bool {
	left := n.left()
	if left == 0 || port >= len(n.cables) {
		return false
	}
	far := n.guess(port)
	return far != nil && far.left() > left
}
