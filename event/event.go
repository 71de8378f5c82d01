// Package event tells what happens in a fabric: from what was known before and what
// is known now it makes events, each with both ends of the link it is about.
package event

import (
	"time"

	"github.com/ibscope/ibscope/ib"
)

// Kind is what happened. The constants are the stable names of outputs.
type Kind string

// The kinds of events.
const (
	LinkDown      Kind = "link-down"      // a link that was up is not any more
	LinkIdle      Kind = "link-idle"      // it is up and carries no data: no subnet manager has configured it
	LinkUp        Kind = "link-up"        // a link is up that was down before
	LinkAdded     Kind = "link-added"     // there was none at either end
	LinkMoved     Kind = "link-moved"     // one end is where it was, the other elsewhere
	LinkFlap      Kind = "link-flap"      // it went down and up again, seen or counted in between
	FlapEnded     Kind = "flap-ended"     // a link that flapped has been up for a whole window
	WidthLost     Kind = "width-lost"     // fewer lanes than before, or than both ends can
	SpeedLost     Kind = "speed-lost"     // likewise
	RateRestored  Kind = "rate-restored"  // as fast as both ends can again
	ErrorsHigh    Kind = "errors-high"    // a counter of errors grows faster than its threshold
	ErrorsEnded   Kind = "errors-ended"   // not any more
	CounterReset  Kind = "counter-reset"  // somebody else has reset counters
	NodeAppeared  Kind = "node-appeared"  //
	NodeVanished  Kind = "node-vanished"  //
	NodeReplaced  Kind = "node-replaced"  // another GUID at the same ports
	NodeMoved     Kind = "node-moved"     // all links of a node are elsewhere
	NodeRenamed   Kind = "node-renamed"   // another description
	NodeRebooted  Kind = "node-rebooted"  // all its links were down at once, its counters began anew, or it runs another firmware
	LIDChanged    Kind = "lid-changed"    //
	ManagerChange Kind = "manager-change" // another subnet manager is master, or none
	FabricLost    Kind = "fabric-lost"    // the port to the fabric is gone: nothing is known any more
	FabricBack    Kind = "fabric-back"    //
)

// Severity is how bad an event is. The words are stable.
type Severity string

// The severities.
const (
	Info     Severity = "info"     // good, or neither good nor bad
	Warning  Severity = "warning"  // somebody should look at it
	Critical Severity = "critical" // something does not work
)

// End is a node, or a port of it. The text is from the fabric and is not escaped.
type End struct {
	GUID     ib.GUID     // of the node, 0 for nothing
	Type     ib.NodeType //
	Name     string      // from a node name map, or the description
	Port     int         // -1 for the node as a whole
	Label    string      // what stands on the panel beside the port, "" if that is the number
	Position string      // in a chassis: "Line 1 Chip 2"
	LID      ib.LID
}

// Event is one thing that happened.
type Event struct {
	ID     uint64    // counts up within a Log, and is the same after a restart
	Time   time.Time // when it was seen
	Since  time.Time // when it was not so yet: it happened between Since and Time
	Fabric string    // the name of the fabric
	Kind   Kind
	Severity
	At, To End // where: a node, or a port and what is at its other end; To zero for none

	Field    string // of a counter, "SymbolErrorCounter"; of an attribute, the word of package diff
	Old, New string // the previous state and that of now, as text that may be from the fabric
	Count    uint64 // of LinkFlap how often, of ErrorsHigh how many in the window, of NodeVanished how many nodes are behind

	How string // how it is known: "refresh", "verification", "counters", "connection", "firmware", "trap"

	// Again is the ID of the event that this one follows on: LinkUp on LinkDown, FlapEnded on
	// LinkFlap, NodeRebooted that tells of another firmware on that which tells of the
	// reboot; 0 for none.
	Again uint64

	// Cause is the ID of the event that this one is a consequence of: a host that vanished
	// because its switch did. Count of that event tells how many there are. 0 for none.
	Cause uint64

	// Links are the links of the node, of events about a node with several: those that it
	// had when it vanished, or has now. They are in no events of their own.
	Links []Link

	// Duplicate tells that another collector has reported the same, so that sinks that
	// they share pass it over.
	Duplicate bool
}

// Link is a link of a node.
type Link struct {
	Port  int
	Label string // what stands beside the port, "" if that is the number
	To    End    // the other end
}

// inBatch marks in Again and Cause the index of an event in the same call of Log.Add,
// which puts the ID in its place.
const inBatch = 1 << 63
