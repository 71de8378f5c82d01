package ibnetdiscover

import (
	"time"

	"github.com/ibscope/ibscope/ib"
)

// Options change what the writers print; nil stands for the zero Options.
type Options struct {
	// Time is the date in the header of a topology, printed in its location.
	// Zero means the time when the sweep started; where that is not known
	// either, the header has no date.
	Time time.Time
	// Names gives the names to print instead of node descriptions.
	Names Namer
	// Full adds speed, width and VLCap as numbers to each link (-f).
	Full bool
	// Grouped lists the nodes of each chassis together (-g).
	Grouped bool
	// MaxHops adds the hops and requests of the sweep to the header (-m).
	MaxHops bool
}

// A Namer gives the name to print for a node, or its description where it knows
// no better one. A *nodenames.Map is one.
type Namer interface {
	Name(guid ib.GUID, desc string) string
}

func (o *Options) orDefault() Options {
	if o == nil {
		return Options{}
	}
	return *o
}
