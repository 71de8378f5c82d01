package trace

import (
	"fmt"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/mad"
)

// Reason says why a way ends before its goal.
type Reason int

// The reasons.
const (
	EndUnreachable  Reason = iota + 1 // one of the ends does not answer
	NextUnreachable                   // the node behind Target's last hop does not answer
	BadPort                           // the port where the way begins is not active
	BadNextPort                       // the port that Out leads to is not active
	BadTable                          // the switch has no output port for the LID: Out is none of its ports
	WrongEnd                          // an adapter or router that is not the goal
	TooFar                            // more than MaxHops
	NotMember                         // multicast does not reach the goal
	SkippedSwitch                     // a switch whose multicast table cannot be read
	AdapterItself                     // multicast from an adapter to itself
	Circle                            // multicast comes to a switch twice
)

// An Error is a way that ends too early. Unwrap gives the failed request, if
// there is one.
type Error struct {
	Reason Reason
	At     Stop   // the node in question: whose table, whose port
	Out    int    // the output port; -1 for a LID beyond the table
	Top    ib.LID // of the table
	LID    ib.LID // of the goal
	State  ib.PortState
	Target mad.Target // where the request went
	Err    error
}

// Error says where the way ends and why.
func (e *Error) Error() string {
	at := fmt.Sprintf("%q (GUID %s)", escape.Text(e.At.Description.String()), e.At.Node.NodeGUID)
	switch e.Reason {
	case EndUnreachable:
		return fmt.Sprintf("an end of the way does not answer: %v", e.Err)
	case NextUnreachable:
		return fmt.Sprintf("the way leads to %s, which does not answer: %v", e.Target, e.Err)
	case BadPort:
		return fmt.Sprintf("port %d of %s is %s", e.At.Num, at, e.State)
	case BadNextPort:
		return fmt.Sprintf("port %d of %s leads to a port that is %s", e.Out, at, e.State)
	case BadTable:
		return fmt.Sprintf("the table of %s has port %d for LID %d (its top is %d)", at, e.Out, e.LID, e.Top)
	case WrongEnd:
		return fmt.Sprintf("the way ends at %s, which does not have LID %d", at, e.LID)
	case TooFar:
		return fmt.Sprintf("no end after %d hops", MaxHops)
	case SkippedSwitch:
		return fmt.Sprintf("the multicast table of %s cannot be read: %v", at, e.Err)
	case AdapterItself:
		return "multicast does not go from an adapter to itself"
	case Circle:
		return fmt.Sprintf("multicast comes to %s twice", at)
	}
	return "the goal is not reached by multicast"
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
