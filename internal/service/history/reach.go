package history

import (
	"context"
	"time"
)

// Reach is how far the rates of one level go back.
type Reach struct {
	Interval time.Duration // 0 for those of passes
	Keep     time.Duration // how long they are to be kept

	// From is the time of the oldest, zero where there are none. Where some went early it
	// is from when on nothing was removed of any fabric.
	From time.Time

	// EarlySince is since when the oldest go before their time, because MaxBytes is
	// reached; zero while all are there that are young enough. A DB does not know of what
	// it removed before it was opened.
	EarlySince time.Time
}

// cutAt names the rates of a level of a fabric.
type cutAt struct {
	fabricID int64
	level    int
}

// measureRates tells the status how far rates reach.
func (w *writer) measureRates(ctx context.Context, now time.Time) error {
	ids, err := w.fabricIDs(ctx)
	if err != nil {
		return err
	}
	list := make([]Reach, numLevels)
	for level := range list {
		r := &list[level]
		r.Interval, r.Keep = width[level], w.db.o.Keep.of(level)
		var cut time.Time
		for _, id := range ids {
			first, err := w.edge(ctx, "min", id, level, never)
			if err != nil {
				return err
			}
			if r.From.IsZero() || !first.IsZero() && first.Before(r.From) {
				r.From = first
			}
			if c := w.cuts[cutAt{id, level}]; c.After(cut) {
				cut = c
			}
		}
		if cut.After(now.Add(-r.Keep)) { // else what went would have gone by now
			r.From, r.EarlySince = cut, now
		}
	}
	w.db.report(func(s *Status) {
		for level := range s.Rates {
			if was := s.Rates[level].EarlySince; !was.IsZero() && !list[level].EarlySince.IsZero() {
				list[level].EarlySince = was
			}
		}
		s.Rates = list
	})
	return nil
}
