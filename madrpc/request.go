package madrpc

import (
	"time"

	"github.com/ibscope/ibscope/mad"
)

// A Request is one management request and, once done, its outcome. The zero
// value with Target and Packet set is ready for use, and a finished one may be
// filled anew and started again. While it is started (from Queue.Start until
// Queue.Next returns it, or during Client.Do) it belongs to the client: neither
// read nor change it, and do not copy it.
type Request struct {
	// Target is where to send it. General services (all classes but the two of
	// subnet management) need a LID.
	Target mad.Target

	// Packet is the request, as Packet.Init and the class's data make it. The
	// client writes the transaction ID and, in an SMP, the class (LID routed or
	// directed), the route and a missing M_Key. Once the request is done it
	// holds the reply; with an Err that is no mad.Status, still the request.
	Packet mad.Packet

	// Timeout of one try; 0 or less stands for the client's.
	Timeout time.Duration

	// Proven says that the way to the target, and the agent there, have answered
	// before. A request without it may lead to nobody, so it gets fewer tries where
	// their number adapts to losses.
	Proven bool

	// Err is nil or an *Error once the request is done.
	Err error

	// Tag is the caller's own; the client does not touch it.
	Tag any

	// Tries is how often it was sent.
	Tries int

	queue    *Queue
	transfer *transfer // nil unless a Stream reads the reply
	target   *target   // nil when targets have no limit
	addr     mad.Addr
	state    state
	tid      uint32        // of the latest try
	older    [2]uint32     // of the tries before, when each has its own; 0: none
	adapts   bool          // the timeout adapts, and each try has a transaction ID of its own
	again    bool          // a try was lost, or seems to be
	overdue  bool          // the first try seems to be lost, and the next one is not due yet
	graced   bool          // this try was given more time because the client overslept
	began    time.Duration // when the first try was sent
	retryAt  time.Duration // when the next try is due; in stateFlying
	last     time.Duration // when the request ends at the latest; never for no limit
	held     int           // tries that a transport which tracks requests may still report as lost
	sendErr  error         // why the latest try could not be sent, nil if it was
	deadline time.Duration // on the client's clock; in the states with a timer
	place    int           // in the timer heap
	links    [2]link       // one per listKind
}

// state says what a started request waits for, and so where it is kept.
type state uint8

const (
	stateIdle    state = iota // the caller's
	stateWaiting              // in its target's list: the target is at its limit
	stateReady                // in Client.ready: to be sent for the first time
	stateDue                  // in Client.due: to be sent again; timer: its end
	stateFlying               // timer: a try is on its way
	stateResting              // timer: the agent was busy
	stateHeld                 // timer: the transport refuses a try until it has given up the one before
	stateDone                 // in its queue's done list
)

// timed reports whether a request in state s is in the timer heap, and there only.
func (s state) timed() bool { return s == stateFlying || s == stateResting || s == stateHeld }

// opened reports whether a request in state s takes part in the global window.
func (s state) opened() bool { return s == stateDue || s.timed() }
