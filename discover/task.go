package discover

import (
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// step is a question that the sweep asks.
type step struct {
	kind stepKind
	port uint8
}

type stepKind uint8

const (
	askDescription stepKind = iota
	askSwitchInfo
	askPortInfo // of port
	askExtended // Mellanox ExtendedPortInfo of port
	askAlive    // NodeInfo, only to know whether the node still answers
	probe       // NodeInfo of the node behind port; of the start node when the task has none
	recheck     // the same once more, to settle a contradiction
	rereadPort  // PortInfo of port once more, likewise
)

// isQueued reports whether the step comes from its node's queue.
func (s step) isQueued() bool { return s.kind <= askExtended }

// isProbe reports whether the step is answered by the node behind a port.
func (s step) isProbe() bool { return s.kind == probe || s.kind == recheck }

// attribute is the attribute and modifier that the step asks for.
func (s step) attribute() (mad.AttrID, uint32) {
	switch s.kind {
	case askDescription:
		return (*smp.NodeDescription)(nil).AttrID(), 0
	case askSwitchInfo:
		return (*smp.SwitchInfo)(nil).AttrID(), 0
	case askPortInfo, rereadPort:
		return (*smp.PortInfo)(nil).AttrID(), uint32(s.port)
	case askExtended:
		return (*smp.ExtendedPortInfo)(nil).AttrID(), uint32(s.port)
	default:
		return (*smp.NodeInfo)(nil).AttrID(), 0
	}
}

// task is a step on its way, with the request that carries it. Tasks are reused.
type task struct {
	request madrpc.Request
	node    *node // whom a question goes to, or the near end of a probe
	step    step
	sent    time.Time
	counted bool // among the probes on their way

	recalled bool        // answered from memory, see Refresh
	leads    *remembered // node that other probes wait for this one to find

	settle func(*arrival) // of a recheck: takes the answer, nil for none
	then   func()         // of a reread: goes on, whether there was an answer or not

	next *task // in the list of free tasks
}

func (s *sweep) newTask(n *node, st step) *task {
	t := s.free
	if t == nil {
		t = &task{}
	} else {
		s.free = t.next
	}
	t.node, t.step, t.next = n, st, nil
	t.request.Tag, t.request.Err = t, nil
	t.recalled = false
	return t
}

func (s *sweep) release(t *task) {
	s.learn(t)
	t.node, t.settle, t.then = nil, nil, nil
	t.next = s.free
	s.free = t
}

// transmit sends a task, unless a refresh knows the answer.
func (s *sweep) transmit(t *task) {
	if s.waits(t) {
		s.probes.makeReady(t.node)
		return
	}
	t.request.Target = s.target(t)
	attr, modifier := t.step.attribute()
	t.request.Packet.Init(t.request.Target.SMPClass(), mad.MethodGet, attr, modifier)
	t.request.Proven = t.node != nil && !t.step.isProbe() && t.node.health == alive
	t.sent = time.Now()
	s.inFlight++
	if t.step.kind == probe && t.node != nil {
		s.probes.sent(t)
	}
	if s.recall(t) {
		s.answer(t)
		return
	}
	s.longest = max(s.longest, t.request.Target.Path.Len())
	s.queue.Start(&t.request)
}
