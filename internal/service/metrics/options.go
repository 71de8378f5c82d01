package metrics

import (
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/rdma"
)

// Options tune a Collector. Nil or the zero value shows the own names only.
type Options struct {
	// Sets are the sets of names that are served beside the own one.
	Sets []Set

	// MaxSeries is how many series a fabric may have in a set; 0 stands for
	// DefaultMaxSeries. Those beyond are left out and counted.
	MaxSeries int

	// Every is how often Run looks for a new state; 0 stands for a second.
	Every time.Duration

	// Name gives the name of a node; nil: its description.
	Name func(*fabric.Node) string

	// Hardware gives what is known of a device beside its attributes of subnet
	// management, nil for nothing. It may be nil.
	Hardware func(fabric string, node ib.GUID) *Hardware

	// Host is where the set Node finds devices: the machine itself by default.
	Host rdma.Host

	// Requests gives what the client of a fabric has done so far, over all its
	// connections; false where that is not known. It is called at each scrape and must
	// not wait. It may be nil.
	Requests func(fabric string) (madrpc.Stats, bool)

	// Figures gives figures of other parts of the service, which are shown with the own
	// names. It is called at each scrape and must not wait. It may be nil.
	Figures func() []Figure

	// RunOnce says that the program ends after one page: the collectors of the set
	// Treydock have names that say so.
	RunOnce bool

	// Version is that of the program, for ibscope_build_info.
	Version string

	// Now is the clock; nil: time.Now.
	Now func() time.Time
}

// DefaultMaxSeries is enough for 10,000 hosts in a tree of three levels.
const DefaultMaxSeries = 3_000_000

// Hardware is what a device tells of itself. Zero fields are not known.
type Hardware struct {
	Firmware, PSID, PartNumber, SerialNumber string

	Uptime      time.Duration
	Temperature float64 // °C
	HasTemp     bool    // Temperature is known
	Supplies    []Supply
	FanStatus   string
	Fans        []Fan
}

// Supply is a power supply. Empty texts are not known.
type Supply struct {
	ID              string
	Status, DC, Fan string // "OK", "ERROR"
	Watts           float64
	HasWatts        bool // Watts is known
}

// Fan is a fan.
type Fan struct {
	ID  string
	RPM float64
}

func (o *Options) withDefaults() Options {
	var out Options
	if o != nil {
		out = *o
	}
	if out.MaxSeries <= 0 {
		out.MaxSeries = DefaultMaxSeries
	}
	if out.Every <= 0 {
		out.Every = time.Second
	}
	if out.Name == nil {
		out.Name = (*fabric.Node).Description
	}
	if out.Now == nil {
		out.Now = time.Now
	}
	return out
}
