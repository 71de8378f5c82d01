package counters

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// Options tune a Collector. Nil or the zero value reads all counters of all
// ports. The functions are called from the goroutine that called Collect, and
// must not keep the Sample or node lists that they are given.
type Options struct {
	// Want are the counters that are of interest, 0 for all. Attributes that hold
	// none of them are not read.
	Want Set

	// Attributes are read of each port too, if its agent has them: those of
	// package pma beside PortCounters and PortCountersExtended whose data is
	// selected by PortSelect alone. Sample.Read gives them.
	Attributes []mad.AttrID

	// Also tells which attributes to read too of a port whose sample is complete
	// so far.
	Also func(*Sample) []mad.AttrID

	// Optional are attributes among those that Also tells that need not be there: an
	// agent that has one not, or does not answer to it, is no problem, and is not taken
	// for silent. Sample.Agent tells who lacks one.
	Optional []mad.AttrID

	// Agent, if set, tells what is known beforehand of the agent of a node, as samples
	// have it; who is not Known is asked.
	Agent func(*fabric.Node) Agent

	// Nodes are whom to ask, begun in that order; nil for all of the fabric.
	Nodes []*fabric.Node

	// Ports chooses what to ask for; nil for all. Port 0 of a switch is asked for if
	// it is an enhanced one.
	Ports func(*fabric.Port) bool

	// Sum, if set, is given the sums over all ports of each node whose agent has
	// AllPortSelect, before any of its ports is read, and reports whether they are
	// to be read. They are read in any case where the sums cannot be.
	Sum func(*Sample) bool

	// Each, if set, is given the sample of each port, in no order, also of those
	// that could not be read. Else samples are kept in Pass.Samples.
	Each func(*Sample)

	// Done, if set, is called when Each has been for all ports of a node.
	Done func(*fabric.Node)

	// ServiceLevel tells the service level to a LID; nil: 0.
	ServiceLevel func(ib.LID) uint8

	// MaxOutstanding is how many requests may be in flight; 0 stands for 128. The
	// limits of the client apply too.
	MaxOutstanding int

	// Beside leaves others who use the client at the same time their part of its
	// window: no more requests are begun than madrpc.Client.RoomBeside says.
	Beside bool

	// MaxPerNode is how many may be in flight to one node; 0 stands for 2.
	MaxPerNode int
}

const (
	defaultOutstanding = 128
	defaultPerNode     = 2
	maxOutstanding     = 1 << 14
)

func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.Want == 0 {
		c.Want = All
	}
	if c.MaxOutstanding <= 0 {
		c.MaxOutstanding = defaultOutstanding
	}
	c.MaxOutstanding = min(c.MaxOutstanding, maxOutstanding)
	if c.MaxPerNode <= 0 {
		c.MaxPerNode = defaultPerNode
	}
	return c
}
