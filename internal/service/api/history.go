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

	// Events calls yield with the events after an ID that were seen since a time, the
	// oldest first, until it says false.
	Events(ctx context.Context, after uint64, since time.Time, yield func(*event.Event) bool) error
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
