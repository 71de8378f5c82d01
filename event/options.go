package event

import (
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/explain"
	"github.com/ibscope/ibscope/counters/threshold"
	"github.com/ibscope/ibscope/fabric"
)

// Options tune a Detector. Nil or the zero value has the defaults.
type Options struct {
	// Name gives a node a name of its own, as a node name map does; false for none,
	// which leaves its description. It must not change while the Detector works.
	Name func(*fabric.Node) (string, bool)

	// A link that goes down FlapCount times within FlapWindow is flapping, until it has
	// been up for a whole FlapWindow. In between its ups and downs are counted, not told.
	FlapCount  int           // 0 = 3
	FlapWindow time.Duration // 0 = 10 minutes

	// Limits are how often counters of errors may count within ErrorWindow; nil stands
	// for DefaultLimits.
	Limits      *threshold.Limits
	ErrorWindow time.Duration // 0 = 1 hour
}

const (
	defaultFlapCount   = 3
	defaultFlapWindow  = 10 * time.Minute
	defaultErrorWindow = time.Hour
)

// Limits by default, in an hour.
const (
	limitFaults = 10
	limitOthers = 100
)

// DefaultLimits let a port have 10 faults, as symbol errors, and 100 lost packets in
// an hour. What is a sign of something elsewhere, or of load, is not watched; nor is
// LinkDownedCounter, of which flaps are made.
func DefaultLimits() *threshold.Limits {
	l := &threshold.Limits{}
	for c := range counters.Errors.All() {
		switch explain.Of(c).Severity {
		case explain.Fault:
			l.Set(c, limitFaults)
		case explain.Loss:
			l.Set(c, limitOthers)
		}
	}
	l.Drop(counters.LinkDowned)
	return l
}

func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.FlapCount <= 0 {
		c.FlapCount = defaultFlapCount
	}
	if c.FlapWindow <= 0 {
		c.FlapWindow = defaultFlapWindow
	}
	if c.Limits == nil {
		c.Limits = DefaultLimits()
	}
	if c.ErrorWindow <= 0 {
		c.ErrorWindow = defaultErrorWindow
	}
	return c
}
