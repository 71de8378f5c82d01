package discover

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// node is a node of the fabric with what the sweep needs to know beside it.
type node struct {
	*fabric.Node
	near      *node // from where the sweep first came; nil for the start
	nearPort  uint8 // of near
	arrivedAt uint8 // port that the sweep first came in through
	depth     int   // links from the start, as far as is known
	twin      *node // next node with the same GUID, in order of arrival
	isGone    bool  // taken away again: it was not one node

	isConfirmed bool // NodeInfo was asked for again, to see whether it is the same

	// behind is who answered to probes of each port, kept once there may be another
	// node that tells the same.
	behind []*arrival

	// anotherNear and anotherPort are the near end of a second link that leads
	// here, for when the first way fails.
	anotherNear *node
	anotherPort uint8
	detoured    bool // the second way has become the first

	questions questions // not yet sent
	inFlight  int       // of these
	ready     bool      // in sweep.turns
	health    health
	lost      int // questions in a row that got no reply

	probes     []uint8 // ports to be probed, in order
	late       []uint8 // ports to be probed when the node has no questions left, see isBehindAnother
	probing    int     // probes on their way, but for slow ones
	probeReady bool    // in sweep.probes.ready

	cables []cable // of a switch, by port number
	rows   []*node // of a switch, by the number of their port: who was linked to it last

	ports        []portFlags // by port number
	deferred     []uint8     // ports whose next step waits for PortInfo of port 0
	port0Settled bool        // PortInfo of port 0 has come, or will not

	past *remembered // what a refresh knows of the node beforehand, nil for nothing
}

// health is whether a node still answers.
type health uint8

const (
	alive   health = iota
	suspect        // several questions were lost: one more decides
	dead
)

// portFlags is what the sweep has done at a port.
type portFlags uint8

const (
	flagAsked   portFlags = 1 << iota // PortInfo has been asked for
	flagProbed                        // the far end has been asked who it is
	flagReread                        // PortInfo has been asked for again, to see whether it is still down
	flagDoubted                       // the node behind told another NodeInfo when it was asked again
)

func (n *node) isSwitch() bool { return n.Type() == ib.NodeSwitch }

// isArrival reports whether the NodeInfo of an arrival can be this node's: all
// that does not depend on the port that was arrived at is the same.
func (n *node) isArrival(info *smp.NodeInfo) bool {
	own := n.Info()
	other := *info
	other.LocalPort = own.LocalPort
	if !n.isSwitch() {
		other.PortGUID = own.PortGUID
	}
	return own == other
}
