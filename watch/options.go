package watch

import (
	"context"
	"log/slog"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/madrpc"
)

// Kind is what makes a new State. The constants are stable words of outputs.
type Kind string

// The kinds. The first three are what a Watcher does again and again.
const (
	Refreshing   Kind = "refresh"      // a sweep that asks what may have changed
	Verification Kind = "verification" // a sweep that asks everything
	Counting     Kind = "counters"     // a pass over the counters
	Connecting   Kind = "connection"   // the fabric was lost, or is back
	Asking       Kind = "firmware"     // devices were asked for their firmware
	Routing      Kind = "routes"       // forwarding tables were read
	Stored       Kind = "stored"       // a snapshot
)

// Pace is how often something is done, from the begin of one run to that of the next,
// and how long a run may take. A run that takes longer than Every delays the next one,
// which then begins a quarter of Every after its end. After a sweep that ran into its
// deadline the next one has twice the time, up to 16 times.
type Pace struct {
	Every    time.Duration // 0 stands for the default, less than 0 for never
	Deadline time.Duration // 0 stands for the default
}

// Options tell a Watcher what to watch. Open is needed; all else has defaults.
//
// With these, a fat tree of 1,485 nodes gets in an hour 248,000 SMPs to refresh (with
// discover.Quick 69,000) and 15,000 to verify, where ibnetdiscover in C, run once a
// minute, sends 1,048,440, 17,474 each time; and 533,000 requests for the counters of
// 8,585 ports.
type Options struct {
	Name   string // of the fabric; "fabric" if empty
	Source string // the URI, for States and the fabrics in them

	// Open opens the port to the fabric, within a minute, which is the context's
	// deadline. It is called again, after 1 s at first and 1 min at last, whenever the
	// port is lost or the node that it belongs to does not answer. The Watcher closes
	// what it gives.
	Open func(ctx context.Context) (madrpc.Transport, error)

	// Client are the limits of all requests: sweeps and passes share one client.
	Client madrpc.Options

	// Sweep are the options of sweeps, as far as they are about what to ask.
	Sweep discover.Options

	// Start is what to begin with, until the first sweep; nil for nothing.
	Start *snapshot.Snapshot

	Refresh  Pace // every 30 s, within 1 min
	Verify   Pace // every hour, within 30 min
	Counters Pace // every minute, within 2 min

	// Routes has the linear forwarding tables of all switches read, for State.Routes: after
	// the first sweep, then every Every, within 10 min; and after a change that subnet
	// managers answer with other routes, 10 s and 2 min after it was seen, at most once in
	// 5 min for those that come one after the other. An Every of 0 stands for never.
	//
	// A table takes a request for each 64 LIDs up to its LinearFDBTop: 4,440 for all
	// of the 185 switches of the fabric above, 140,000 for 800 switches with 11,000 LIDs.
	// Few switches are asked at once.
	Routes Pace

	// Level is how much a refresh asks.
	Level discover.Level

	// Want are the counters of interest, 0 for all.
	Want counters.Set

	// Ports, if set, chooses at each pass the ports whose counters are read, among
	// those that have or had a link. It is called from the goroutine of a pass.
	Ports func(*fabric.Port) bool

	// Details has passes read what errors were made of, too: PortRcvErrorDetails and
	// PortXmitDiscardDetails, for total.Port.Details. They are read of ports whose
	// PortRcvErrors, PortRcvSwitchRelayErrors or PortXmitDiscards have moved, or stand at
	// their end; of all others once in DetailsEvery passes, a part of them in each; of
	// agents that lack them once after each verification. That takes two requests for a
	// port in DetailsEvery passes: 17,000 in an hour with the fabric below.
	Details      bool
	DetailsEvery int // 0 stands for 60; 1 reads them in each pass

	// Firmware has the firmware of NVIDIA's devices, and of others with its chips, read
	// after each verification, for State.Devices and the nodes of State.Fabric: a request
	// for each, few at a time, within 5 minutes, beside all else. Who does not answer twice
	// in a row is asked one time in 24 only. Devices that are new, are back, or whose link
	// was down for a moment are asked at once.
	Firmware bool

	// Each, if set, is told every new State in order, from the goroutine of Run, which
	// waits for it. The first old State is the one that New made.
	Each func(old, new *State)

	Logger *slog.Logger // nil for none
}

// Defaults of Options.
const (
	defaultName = "fabric"

	refreshEvery     = 30 * time.Second
	refreshDeadline  = time.Minute
	verifyEvery      = time.Hour
	verifyDeadline   = 30 * time.Minute
	countersEvery    = time.Minute
	countersDeadline = 2 * time.Minute
	detailsEvery     = 60
	routesDeadline   = 10 * time.Minute
)

func (o *Options) withDefaults() Options {
	c := *o
	if c.Name == "" {
		c.Name = defaultName
	}
	c.Refresh = c.Refresh.or(refreshEvery, refreshDeadline)
	c.Verify = c.Verify.or(verifyEvery, verifyDeadline)
	c.Counters = c.Counters.or(countersEvery, countersDeadline)
	c.Routes = c.Routes.or(-1, routesDeadline)
	if c.DetailsEvery <= 0 {
		c.DetailsEvery = detailsEvery
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	c.Sweep.Source, c.Sweep.Logger = c.Source, c.Logger
	return c
}

func (p Pace) or(every, deadline time.Duration) Pace {
	if p.Every == 0 {
		p.Every = every
	}
	if p.Deadline <= 0 {
		p.Deadline = deadline
	}
	return p
}
