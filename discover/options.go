package discover

import (
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// Options tune a sweep. Nil or the zero value sweeps the whole fabric from the
// local port with the defaults given for each field.
type Options struct {
	// From is where the sweep starts: the local node (the zero Target), the end
	// of a directed route, or the owner of a LID.
	From mad.Target

	// FromGUID starts at the node with this node GUID or port GUID instead; it
	// is looked up in Known, or found by a sweep of its own where Known is nil.
	FromGUID ib.GUID
	Known    *fabric.Fabric

	// MaxHops limits the sweep to nodes at most that many links away from the
	// start: 1 is the start and those connected to it. 0 means no limit.
	MaxHops int

	MKey uint64 // M_Key of the requests
	// Timeout, Retries, MaxOutstanding and Rate are those of madrpc.Options: what is
	// 0 adapts to the fabric, and negative Retries are none.
	Timeout        time.Duration
	Retries        int
	MaxOutstanding int
	Rate           float64

	MaxPerTarget int // requests in flight to one node; 0 = 2, negative = no limit

	// BothEnds asks each link between two switches from both of its ends, as
	// libibnetdisc does, which takes up to a third more SMPs. Without it a link is asked
	// from one end. It matters where several switches claim one GUID and are alike, and
	// no port of one contradicts what is known of the other: such switches count as one.
	BothEnds bool

	// NoExtendedPortInfo leaves out the Mellanox attribute that tells FDR10
	// from QDR on devices known to have it.
	NoExtendedPortInfo bool

	// Progress, if set, is called now and then from the goroutine that called Run.
	Progress func(Progress)

	// Arrival, if set, is told each NodeInfo that the sweep receives, in the
	// order of receipt, from the goroutine that called Run.
	Arrival func(Arrival)

	Logger madrpc.Logger // nil = none
	Source string        // recorded in the result: the URI of the transport

	rotation int     // of the order of ports, for tests
	memory   *memory // what Refresh knows beforehand, nil for a sweep of everything
}

// Progress is how far a sweep has come.
type Progress struct {
	Nodes, Switches, Ports, Links int
	SMPs                          int // distinct requests sent
	Outstanding                   int
	MaxHops                       int // longest route used so far
}

// Arrival is a NodeInfo that a sweep received.
type Arrival struct {
	Target      mad.Target // the way there
	Info        smp.NodeInfo
	New         bool // the node was not known before
	LID         ib.LID
	LMC         uint8
	Description string // of known nodes, as far as it has been read; untrusted text
}

const (
	defaultPerTarget = 2
	mostPerTarget    = 1 << 16
)

func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	c.MaxOutstanding = max(c.MaxOutstanding, 0)
	if c.MaxPerTarget == 0 {
		c.MaxPerTarget = defaultPerTarget
	}
	if c.MaxPerTarget < 0 {
		c.MaxPerTarget = mostPerTarget
	}
	return c
}
