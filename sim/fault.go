package sim

import (
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// FaultKind is what goes wrong.
type FaultKind uint8

// The kinds of faults. Those of the first group strike the node, those of the
// second its replies.
const (
	// DeadSMA: the node forwards, but answers nothing.
	DeadSMA FaultKind = iota + 1
	// DeadNode: the node neither answers nor forwards. With After it vanishes
	// behind that many requests.
	DeadNode
	// DeadPort: no packet passes the port, though it tells that it is up.
	DeadPort

	// WrongNodeGUID: NodeInfo tells Fault.GUID as the node's GUID.
	WrongNodeGUID
	// WrongPortGUID: NodeInfo tells Fault.GUID as the port's GUID.
	WrongPortGUID
	// WrongTID: the transaction ID is another one.
	WrongTID
	// WrongClassVersion: the reply has class version 127.
	WrongClassVersion
	// BadStatus: the reply has Fault.Status, for example busy.
	BadStatus
	// ZeroData: the attribute is all zero, though the status is good.
	ZeroData
	// CorruptBytes: some bytes of the reply, its header included, are wrong.
	CorruptBytes
	// Duplicated: the reply comes twice.
	Duplicated
	// Delayed: the reply comes later, by Fault.Delay.
	Delayed
)

// Fault is one thing that is broken. Zero fields do not narrow it down.
type Fault struct {
	Kind FaultKind

	// Where. Port is the port that goes dead of a DeadPort; for other kinds the
	// fault then concerns only requests that arrive by that port. Attr narrows
	// it to one attribute.
	Node ib.GUID
	Port int
	Attr mad.AttrID

	// When. Requests that fit are counted: the fault sleeps for the first
	// After, then strikes the next Times of them (0: all), each with a
	// Probability (0 counts as 1). DeadNode and DeadPort know only After, and
	// count what the node's agent has received.
	After       int
	Times       int
	Probability float64

	// What, where the kind asks for it.
	GUID   ib.GUID
	Status mad.Status
	Delay  time.Duration
}
