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
	rereadPort  // PortInfo of port once more
	verify      // NodeInfo of who is at the end of a way
)

// isQueued reports whether the step comes from its node's queue.
func (s step) isQueued() bool { return s.kind <= askExtended }

// isProbe reports whether the step is answered by the node behind a port.
func (s step) isProbe() bool { return s.kind == probe }

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
	again    bool        // asked once more, see doubts
	leads    *remembered // node that other probes wait for this one to find

	// Of what is asked once more: takes the answer, nil for none; and the way there.
	then func(data *[mad.DataSize]byte)
	way  mad.Target

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
	t.recalled, t.again = false, false
	return t
}

func (s *sweep) release(t *task) {
	s.learn(t)
	t.node, t.then = nil, nil
	t.next = s.free
	s.free = t
}

// reread asks for the PortInfo of a port again.
func (s *sweep) reread(n *node, port uint8, then func()) {
	t := s.newTask(n, step{rereadPort, port})
	s.rereads[t] = true
	t.then = func(data *[mad.DataSize]byte) {
		delete(s.rereads, t)
		if data != nil {
			s.builder.SetPortInfo(s.builder.Port(n.Node, int(port)), data)
		}
		then()
	}
	s.direct = append(s.direct, t)
}

// askWho asks for the NodeInfo at the end of a way, and gives it to then: nil for none.
func (s *sweep) askWho(way mad.Target, then func(*smp.NodeInfo)) {
	t := s.newTask(nil, step{kind: verify})
	t.way = way
	t.then = func(data *[mad.DataSize]byte) {
		if data == nil {
			then(nil)
			return
		}
		var info smp.NodeInfo
		info.Decode(data)
		then(&info)
	}
	s.direct = append(s.direct, t)
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

// transmitAgain sends a probe that was answered once more.
func (s *sweep) transmitAgain(t *task) {
	t.again = true
	attr, modifier := t.step.attribute()
	t.request.Packet.Init(t.request.Target.SMPClass(), mad.MethodGet, attr, modifier)
	t.sent = time.Now()
	s.inFlight++
	s.probes.sent(t)
	s.queue.Start(&t.request)
}
