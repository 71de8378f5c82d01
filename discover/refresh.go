package discover

import (
	"context"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/madrpc"
)

// Level is how much of what is known a Refresh asks again at once. All levels
// verify the rest in turn: within Period refreshes, with Round counted up by one
// from each to the next, every attribute and every link has been read again.
//
// No level writes anything. PortStateChange of SwitchInfo, by which a switch tells
// that a port has changed, is cleared by the subnet manager when it has seen it
// (IBA vol. 1, 14.2.5.4). So the bit is a hint: when it is set, the switch is read
// anew; when it is not, nothing follows from it.
type Level uint8

const (
	// Normal sees at once:
	//   - nodes that are gone, replaced by others, or moved: NodeInfo of each node is
	//     read over one of its links. If a node is missing, NodeInfo is read over all
	//     links, for it may be where another one was;
	//   - nodes and links that are new at ports which had no link: PortInfo of each
	//     switch port without a link, or with one that is not Active, is read;
	//   - all that Quick sees.
	// It sees in turn, where the flag is cleared already: other LIDs, descriptions,
	// rates, states and counters in PortInfo; cables that are broken or lead elsewhere
	// while all known nodes are still met by others, such as one of several between
	// two switches, and what is new at the ends of these.
	Normal Level = iota

	// Quick reads NodeInfo, over one of its links, and SwitchInfo of each switch.
	// Where that has PortStateChange set, PortInfo of all ports and NodeInfo behind
	// all links is read; where it tells otherwise than before, PortInfo of the ports
	// without a link. What the known fabric lists as a problem is read again.
	// Everything else is seen in turn: an adapter that vanished from a switch whose
	// flag is cleared stays in the result until then.
	Quick
)

// defaultPeriod keeps the share of Normal small beside its other requests.
const defaultPeriod = 64

// RefreshOptions tune a Refresh. Nil or the zero value has the defaults.
type RefreshOptions struct {
	// Options of the sweep; they should be those of the sweep that gave the known
	// fabric. Attributes answered from memory count for Progress and Arrival too,
	// not for Progress.SMPs.
	Options

	Level  Level
	Period int // refreshes within which everything is verified; 0 = 64, 1 asks everything
	Round  int // the number of this refresh; count it up

	// Doubt, if set, reports whether a port that is known may have changed: it and its
	// link are asked again. It is for those who hear of changes from elsewhere, as from
	// LinkDownedCounter.
	Doubt func(*fabric.Port) bool
}

// Refresh sweeps a fabric of which most is known, with a small part of the SMPs
// of Walk: what there is no reason to ask again comes from known. Level says what
// is asked. A change that is met is followed: to the other end of its link, to
// where the cable led before, and behind it as far as nothing is known.
//
// The result, its order and its errors are those of Walk; Sweep has the SMPs that
// were sent. The known fabric is not changed, and may come from anywhere: from
// another start, or from a file. It is best complete, for what it does not have
// is asked.
func Refresh(ctx context.Context, client *madrpc.Client, known *fabric.Fabric, o *RefreshOptions) (*fabric.Fabric, error) {
	var c RefreshOptions
	if o != nil {
		c = *o
	}
	if c.Period <= 0 {
		c.Period = defaultPeriod
	}
	c.memory = newMemory(known, &c)
	return Walk(ctx, client, &c.Options)
}
