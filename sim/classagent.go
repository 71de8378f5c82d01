package sim

import (
	"fmt"
	"sync/atomic"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
)

// An Agent answers the requests of one management class at all nodes of a
// simulated fabric: performance management, congestion control, a vendor's
// class. Subnet management is built in, and no Agent.
//
// Answer turns the request m, which has been routed to r.At, into its reply,
// and reports whether there is one. The simulator routes it back; it sets the
// method of the reply only if Answer leaves that of the request: GetResp for a
// Get or a Set. Requests that an agent has no answer to and that it Declines
// go to a program at the port, see Port.
//
// Answer is called by many goroutines at once, and must not wait. It must not
// keep m.
type Agent interface {
	Answer(r Request, m *mad.Packet) Outcome
}

// Outcome is what became of a request.
type Outcome uint8

// The outcomes.
const (
	Silent   Outcome = iota // no reply, now or later
	Answered                // m is the reply
	Declined                // not the agent's: a program that is attached there may answer
)

// Place is a port of a node: 0 is that of a switch itself.
type Place struct {
	Node *fabric.Node
	Port int
}

// Request tells of a request what is not in the packet.
type Request struct {
	Fabric *Fabric
	At     Place    // the port that it arrived by; port 0 on a switch that sent it itself
	From   mad.Addr // the sender's LID, SL, Q_Key and the index of the P_Key, as sent
	Sender *Port    // who sent it
}

// Use plugs in the agent of a class, in place of what was there; nil takes it
// out. A class of subnet management is an Error that wraps os.ErrInvalid. Use
// may be called at any time.
func (s *Fabric) Use(class mad.Class, a Agent) error {
	if class.IsSMP() {
		return &Error{
			Op: "use", Obj: "agent of " + class.String(),
			Err: fmt.Errorf("subnet management is built in: %w", errInvalid),
		}
	}
	s.agents.set(class, a)
	return nil
}

// Agent is the agent of a class, nil for none. An agent that adds to another
// wraps it.
func (s *Fabric) Agent(class mad.Class) Agent { return s.agents.get(class) }

// classAgents are the agents by class. Readers take no lock.
type classAgents struct {
	all [256]atomic.Pointer[Agent]
}

func (c *classAgents) set(class mad.Class, a Agent) {
	if a == nil {
		c.all[class].Store(nil)
		return
	}
	c.all[class].Store(&a)
}

func (c *classAgents) get(class mad.Class) Agent {
	if a := c.all[class].Load(); a != nil {
		return *a
	}
	return nil
}

// A Monitor is told what happens to packets and links, so that counters can
// move. It is called by the goroutines that send, many at once, and must not
// wait or allocate.
type Monitor interface {
	// Crossed: a packet left by out and arrived by in.
	Crossed(out, in Place)
	// Discarded: a packet ended at a port that could not take it further.
	Discarded(at Place, why Discard)
	// LinkDowned: the link at the port, one end of it, went down.
	LinkDowned(at Place)
}

// Discard is why a packet ended.
type Discard uint8

// The reasons of a Discard.
const (
	DiscardNoRoute  Discard = iota + 1 // a switch does not know the LID: PortRcvSwitchRelayErrors of the port it came by
	DiscardInactive                    // the output port is not up or not active: PortXmitDiscards of that
	DiscardPKey                        // partition enforcement: PortRcvConstraintErrors or PortXmitConstraintErrors
	DiscardVL15                        // the queue of subnet management is full: VL15Dropped of the port it came by
	DiscardQP1                         // the queue of general services is full: QP1Dropped of the port it came by
)

// Watch makes m the fabric's monitor; nil is none. It may be called at any time.
func (s *Fabric) Watch(m Monitor) {
	if m == nil {
		s.monitor.Store(nil)
		return
	}
	s.monitor.Store(&m)
}
