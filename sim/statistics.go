package sim

import (
	"sync/atomic"
	"time"

	"github.com/ibscope/ibscope/fabric"
)

// Statistics are what happened to the requests of all Ports. Each that was
// sent was answered, passed on, dropped or lost.
type Statistics struct {
	Sent     uint64 // requests
	Answered uint64 // requests whose reply has come, or comes when its time is there
	Passed   uint64 // requests that went to another program
	Dropped  uint64 // requests that an agent's queue had no place for
	Lost     uint64 // requests that got no answer for another reason, the loss of the reply among them

	Crossed    uint64 // cables that packets crossed, there and back
	Duplicated uint64 // copies of replies
	Corrupted  uint64 // replies with wrong bytes
	Late       uint64 // times that a reply was held up by jitter
	MaxQueue   int    // the longest that the queue of a port was, with what its agent works on
}

// AgentStatistics are what an agent has done.
type AgentStatistics struct {
	Received uint64        // requests, those dropped among them
	Dropped  uint64        // requests that the queue had no place for
	MaxQueue int           // the longest that the queue of a port was, with what the agent works on
	Busy     time.Duration // all service times
}

// NodeStatistics are what the agents of a node have done.
type NodeStatistics struct{ SMA, GSA AgentStatistics }

// counts are Statistics that move.
type counts struct {
	sent, answered, passed, dropped, lost, crossed, duplicated, corrupted, late atomic.Uint64
}

// Statistics counts what happened since the fabric was made. Without Physics
// nothing is counted.
func (s *Fabric) Statistics() Statistics {
	ph := s.physics
	if ph == nil {
		return Statistics{}
	}
	c := &ph.count
	all := Statistics{
		Sent: c.sent.Load(), Answered: c.answered.Load(), Passed: c.passed.Load(),
		Dropped: c.dropped.Load(), Lost: c.lost.Load(), Crossed: c.crossed.Load(),
		Duplicated: c.duplicated.Load(), Corrupted: c.corrupted.Load(), Late: c.late.Load(),
	}
	for i := range ph.sma {
		all.MaxQueue = max(all.MaxQueue, ph.sma[i].statistics().MaxQueue, ph.gsa[i].statistics().MaxQueue)
	}
	return all
}

// NodeStatistics counts what the agents of a node have done. Without Physics,
// and for a node of another fabric, that is nothing.
func (s *Fabric) NodeStatistics(n *fabric.Node) NodeStatistics {
	own, err := s.node("count", n)
	if s.physics == nil || err != nil {
		return NodeStatistics{}
	}
	i := own.model.Index()
	return NodeStatistics{SMA: s.physics.sma[i].statistics(), GSA: s.physics.gsa[i].statistics()}
}

func (q *agentQueue) statistics() AgentStatistics {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.count
}
