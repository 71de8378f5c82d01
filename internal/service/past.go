package service

import (
	"context"
	"path/filepath"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/service/api"
	"github.com/ibscope/ibscope/internal/service/history"
)

// remembered is what is known from before.
type remembered struct {
	nextEvent uint64
	fabrics   map[string]*snapshot.Snapshot // by name
}

// openHistory opens the history, if one is kept, and gives what is known from it. A
// history that is damaged is put aside: the service begins a new one, and says so.
func (s *Service) openHistory(ctx context.Context) (*remembered, error) {
	// Without history IDs of events go on with the time: there are fewer events than
	// milliseconds.
	r := &remembered{nextEvent: uint64(max(1, s.started.UnixMilli())), fabrics: map[string]*snapshot.Snapshot{}}
	c := s.settings.Config
	if c.State == "" || c.History.Off {
		return r, nil
	}
	db, err := history.Open(ctx, filepath.Join(c.State, history.FileName), &history.Options{
		MoveAside: true, MaxBytes: c.History.MaxBytes, Now: s.world.Now,
		Keep: history.Keep{
			Passes: c.History.Passes, Minutes: c.History.Minutes, Hours: c.History.Hours, Days: c.History.Days,
			Events: c.History.Events, Snapshots: c.History.Snapshots,
		},
	})
	if err != nil {
		return nil, &Error{Op: "history", Err: err}
	}
	s.history = db
	if to := db.Status().MovedTo; to != "" {
		s.world.Logger.Error("the history could not be used and was put aside; a new one begins", "path", to)
	}
	last, err := db.Last(ctx)
	if err != nil {
		s.world.Logger.Warn("not all of the history can be read", "err", err)
	}
	r.nextEvent = last.Event + 1
	for i := range last.Fabrics {
		f := &last.Fabrics[i]
		r.fabrics[f.Name] = &snapshot.Snapshot{Taken: f.At, Fabric: f.Fabric}
	}
	return r, nil
}

// past is the history as the API wants it. Its errors are those of history, among which
// ErrNothing is os.ErrNotExist.
type past struct{ db *history.DB }

func (p past) Fabric(ctx context.Context, name string, at time.Time) (*fabric.Fabric, time.Time, error) {
	f, s, err := p.db.FabricAt(ctx, name, at)
	if err != nil {
		return nil, time.Time{}, err
	}
	if s.Until.Before(at) {
		at = s.Until
	}
	return f, at, nil
}

func (p past) Events(ctx context.Context, after uint64, since time.Time, yield func(*event.Event) bool) error {
	const batch = 1000
	for {
		list, err := p.db.Events(ctx, &history.Filter{After: after, Since: since, Limit: batch})
		if err != nil {
			return err
		}
		for i := range list {
			after = list[i].ID
			if !yield(&list[i]) {
				return nil
			}
		}
		if len(list) < batch {
			return nil
		}
	}
}

func (p past) Rates(ctx context.Context, name string, node ib.GUID, port int, since, until time.Time) ([]api.RatePoint, error) {
	points, err := p.db.Series(ctx, name, node, port, since, until)
	if err != nil {
		return nil, err
	}
	list := make([]api.RatePoint, len(points))
	for i, q := range points {
		list[i] = api.RatePoint{
			From: q.From, To: q.To, XmitBytes: api.RateRange(q.XmitBytes), RcvBytes: api.RateRange(q.RcvBytes),
			XmitPackets: api.RateRange(q.XmitPackets), RcvPackets: api.RateRange(q.RcvPackets),
			Congestion: api.RateRange(q.Congestion), Errors: q.Errors,
		}
	}
	return list, nil
}
