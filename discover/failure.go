package discover

import (
	"errors"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
)

// errStoppedAnswering is the cause for what was not asked of a dead node.
var errStoppedAnswering = errors.New("the node stopped answering")

// lostInARow is the number of questions in a row without a reply after which a
// node is suspected to be dead.
const lostInARow = 2

// lostStep is a question that got no reply.
type lostStep struct {
	node *node
	step step
	err  error
}

// failed handles a request that ended with an error.
func (s *sweep) failed(t *task, err error) {
	var status mad.Status
	answered := errors.As(err, &status)
	switch {
	case t.then != nil:
		t.then(nil)
		return
	case t.step.kind == askAlive:
		s.bury(t.node)
		return
	case t.node == nil:
		s.lost = append(s.lost, lostStep{nil, t.step, err})
		return
	}
	if !t.step.isProbe() {
		if answered {
			s.answers(t.node)
		} else {
			s.suspect(t.node)
		}
	}
	if answered {
		s.refused(t, err)
	} else {
		s.lose(t.node, t.step, err)
	}
	s.withoutAnswer(t.node, t.step)
}

// refused records a reply with an error status. Devices that do not have
// Mellanox ExtendedPortInfo after all are no problem.
func (s *sweep) refused(t *task, err error) {
	if t.step.kind != askExtended {
		s.found = append(s.found, finding{kind: fabric.BadStatus, node: t.node, step: t.step, err: err})
	}
}

// withoutAnswer goes on where the answer to a step was not needed.
func (s *sweep) withoutAnswer(n *node, st step) {
	switch {
	case st.kind == askPortInfo && st.port == 0 && n.isSwitch():
		s.settlePort0(n)
	case st.kind == askExtended:
		s.goOn(n, n.Port(int(st.port)))
	}
}

// lose remembers a question without a reply.
func (s *sweep) lose(n *node, st step, err error) {
	s.lost = append(s.lost, lostStep{n, st, err})
}

// answers notes that a node has answered.
func (s *sweep) answers(n *node) {
	if n == nil {
		return
	}
	n.lost = 0
	if n.health == suspect {
		n.health = alive
		s.makeReady(n)
	}
}

// suspect notes a question without a reply. After several in a row the node is
// asked nothing more but whether it is alive: a switch that vanished would
// otherwise cost all tries of all its ports.
func (s *sweep) suspect(n *node) {
	n.lost++
	if n.health != alive || n.lost < lostInARow {
		return
	}
	n.health = suspect
	s.direct = append(s.direct, s.newTask(n, step{kind: askAlive}))
}

// bury gives up a node: what was still to be asked of it is lost.
func (s *sweep) bury(n *node) {
	n.health = dead
	for _, st := range n.questions.take() {
		s.lose(n, st, errStoppedAnswering)
		s.withoutAnswer(n, st)
	}
}

// askLostAgain asks once more for what was lost, if there is hope: another way
// leads to the node, or requests get lost here and there, so that it may have
// been chance. It reports whether there is anything to wait for.
func (s *sweep) askLostAgain() bool {
	if s.searchMissing() {
		return true
	}
	if s.askedAgain || s.start == nil {
		return false
	}
	s.askedAgain = true
	// Where the tries adapt there were enough of them.
	byChance := (s.opts.Timeout > 0 || s.opts.Retries != 0) && s.resent > s.timedOut*s.retries()
	lost := s.lost
	s.lost = nil
	for _, l := range lost {
		if !l.step.isProbe() {
			s.detour(l.node)
		}
	}
	for _, l := range lost {
		if !byChance && !l.node.detoured {
			s.lost = append(s.lost, l)
			continue
		}
		l.node.health, l.node.lost = alive, 0
		if l.step.isProbe() {
			s.probes.hold(l.node, l.step.port)
		} else {
			s.ask(l.node, l.step.kind, int(l.step.port))
		}
	}
	return len(lost) > len(s.lost)
}

// detour makes questions to a node, and beyond it, go by the second way that is
// known to lead there.
func (s *sweep) detour(n *node) {
	if n.anotherNear == nil || n.detoured {
		return
	}
	if t, ok := s.wayBeyond(n.anotherNear, n.anotherPort); ok {
		s.builder.SetPath(n.Node, t.Path)
		n.detoured = true
	}
}

func (s *sweep) retries() int {
	switch {
	case s.opts.Retries < 0:
		return 0
	case s.opts.Retries == 0:
		return 3
	}
	return s.opts.Retries
}
