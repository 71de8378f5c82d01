package api

import (
	"context"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// History is what is known of earlier times. Its methods may wait for a disk, not longer
// than their context. Errors that errors.Is finds os.ErrNotExist in say that nothing is
// kept of that time.
type History interface {
	// Fabric is a fabric as it was at a time, or as it was known last before it, and the
	// last time not after that at which it is known to have been so.
	Fabric(ctx context.Context, name string, at time.Time) (*fabric.Fabric, time.Time, error)

	// Rates are those of a port between two times, the oldest first.
	Rates(ctx context.Context, name string, node ib.GUID, port int, since, until time.Time) ([]RatePoint, error)

	// Events are those that a query wants, by ID.
	Events(ctx context.Context, q *EventQuery) ([]event.Event, error)
}

// EventQuery says which events are wanted. What is zero does not matter.
type EventQuery struct {
	Fabric     string
	Kinds      []string
	Severities []string
	GUID       ib.GUID   // of a node at an end
	After      uint64    // only those with higher IDs
	Since      time.Time // only those seen then or later
	Until      time.Time // only those seen before
	Limit      int       // at most so many
	Newest     bool      // the last ones rather than the first
}

// RatePoint is a port in an interval.
type RatePoint struct {
	From, To time.Time

	// Per second; congestion is the share of time. -1 stands for not known.
	XmitBytes, RcvBytes, XmitPackets, RcvPackets, Congestion RateRange

	Errors float64 // counted in the interval; -1 for not known
}

// RateRange is a rate in an interval.
type RateRange struct{ Min, Mean, Max float64 }
