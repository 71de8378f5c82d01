package discover

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// along is the target at the end of a path of this sweep.
func (s *sweep) along(path ib.DRPath) mad.Target {
	t := s.opts.From
	t.Path = path
	t.Directed = t.Directed || path.Len() > 0
	return t
}

// wayTo is how questions reach a node.
func (s *sweep) wayTo(n *node) mad.Target {
	path, _ := n.Path()
	return s.along(path)
}

// wayToPort is how questions about a port reach its node. A channel adapter is
// asked through that very port, for some answer only for the port that they are
// asked through.
func (s *sweep) wayToPort(n *node, port uint8) mad.Target {
	if !n.isSwitch() && port != n.arrivedAt {
		if p := n.Port(int(port)); p != nil && p.Remote() != nil {
			if near, ok := s.byNode[p.Remote().Node()]; ok {
				if t, ok := s.wayBeyond(near, uint8(p.Remote().Num())); ok {
					return t
				}
			}
		}
	}
	return s.wayTo(n)
}

// wayBeyond is how questions reach the node behind a port. From a channel
// adapter or router that was itself reached over a link, the way goes back over
// that link. It reports false where there is none: it would be too long, or the
// port is on a channel adapter that was reached by LID.
func (s *sweep) wayBeyond(n *node, port uint8) (mad.Target, bool) {
	path, _ := n.Path()
	if !n.isSwitch() && s.opts.From.LID != 0 {
		return mad.Target{}, false
	}
	if !n.isSwitch() && path.Len() > 0 {
		return s.along(path.Parent()), true
	}
	longer, ok := path.Append(port)
	return s.along(longer), ok
}

// target is where a task's request goes.
func (s *sweep) target(t *task) mad.Target {
	switch {
	case t.step.kind == verify:
		return t.way
	case t.node == nil:
		return s.opts.From
	case t.step.isProbe():
		there, _ := s.wayBeyond(t.node, t.step.port)
		return there
	case t.step.kind == askPortInfo || t.step.kind == askExtended || t.step.kind == rereadPort:
		return s.wayToPort(t.node, t.step.port)
	default:
		return s.wayTo(t.node)
	}
}
