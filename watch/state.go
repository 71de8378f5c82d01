// Package watch keeps a fabric in memory and up to date: it sweeps, refreshes and
// verifies, reads counters, each at its own pace, and goes on when the port, the
// subnet manager or half of the fabric is lost.
package watch

import (
	"time"

	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// State is what is known of a fabric at one time. It is immutable: readers keep the
// one that they have while the next one is made.
type State struct {
	// Number counts the states of a Watcher up, from 0. Cause is what has made this one,
	// and Since when.
	Number int
	Cause  Kind
	Since  time.Time

	Name   string // of the fabric: a word that the operator chose
	Source string // the URI it is read from

	// Fabric is the fabric as of the last sweep that came to a result; nil before the
	// first. It stays when the source is lost, and it is the same one, with the figures
	// of an earlier sweep, for as long as nothing in it changes.
	Fabric *fabric.Fabric
	At     time.Time // when the sweep that gave Fabric ended
	Stored bool      // Fabric comes from a snapshot, and nothing has been read yet

	// Totals are the counters after the last pass; nil before the first.
	Totals *total.Table

	// Devices are what devices told of themselves, by node GUID, as of the time that each
	// says: those of Options.Firmware, and those that a snapshot has. Nobody changes it.
	Devices map[ib.GUID]Device

	// Routes are the forwarding tables that were last read; nil if none were. Their switches
	// are those that there were then.
	Routes *Routes

	// Managers are the subnet managers that answered in the last sweep, the master first.
	Managers []Manager

	// Connected tells whether the fabric can be asked: the last sweep got an answer from
	// more than the own node. Lost says since when it cannot, zero before the first try,
	// and Err why, or why the last sweep ended early.
	Connected bool
	Lost      time.Time
	Err       error

	Refresh Run // the last refresh sweep
	Verify  Run // the last sweep that asked everything
	Pass    Run // the last pass over the counters
	Asking  Run // the last time that devices were asked for their firmware
	Routing Run // the last time that forwarding tables were read
}

// Run is a sweep or a pass over the counters.
type Run struct {
	From     int // the Number of the State that was known when it began
	Count    int // how many there were since the start, this one included
	Failed   int // how many of these ended without a result
	Started  time.Time
	Duration time.Duration
	Requests int // sent for the first time
	Resent   int
	TimedOut int
	Problems int
	Complete bool // nothing is missing
	Err      error
}

// Manager is a subnet manager.
type Manager struct {
	Node     ib.GUID
	Port     int
	GUID     ib.GUID // of its port
	LID      ib.LID
	State    ib.SMState
	Priority uint8
	Activity uint32 // its count, which stands still when it hangs
}

// Device is what a device told of itself beside its attributes of subnet management.
type Device struct {
	fabric.Firmware
	Uptime time.Duration // at At, to the second; 0 where it is not known
	At     time.Time     // when it told this
}

// Master is the master subnet manager, false if none is known.
func (s *State) Master() (Manager, bool) {
	for _, m := range s.Managers {
		if m.State == ib.SMMaster {
			return m, true
		}
	}
	return Manager{}, false
}

// Static is the state of a fabric that does not change, such as a stored one.
func Static(name, source string, f *fabric.Fabric, t *total.Table) *State {
	at := sinceTaken(f)
	s := &State{Cause: Stored, Since: at, Name: name, Source: source, Fabric: f, At: at, Stored: true, Totals: t, Devices: storedDevices(f, at)}
	s.Routes = storedRoutes(f, at, nil)
	return s
}
