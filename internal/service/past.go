package service

import (
	"context"
	"errors"
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
	follows   bool                          // it is one more than that of the last event there was
	fabrics   map[string]*snapshot.Snapshot // by name
}

// openHistory opens the history, if one is kept, and gives what is known from it. A
// history that is damaged is put aside: the service begins a new one, and says so. Without
// one that can be opened the service goes on, and says so; but two services with one
// history are a mistake.
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
	if errors.Is(err, history.ErrInUse) || ctx.Err() != nil {
		return nil, &Error{Op: "history", Err: err}
	}
	if err != nil {
		s.world.Logger.Error("no history is kept until the service is started again", "err", err)
		s.noHistory = err
		return r, nil
	}
	s.history = db
	if to := db.Status().MovedTo; to != "" {
		s.world.Logger.Error("the history could not be used and was put aside; a new one begins", "path", to)
		return r, nil // the IDs that were given are not known
	}
	last, err := db.Last(ctx)
	if err != nil {
		s.world.Logger.Warn("not all of the history can be read", "err", err)
	}
	r.nextEvent, r.follows = last.Event+1, true
	for i := range last.Fabrics {
		f := &last.Fabrics[i]
		r.fabrics[f.Name] = &snapshot.Snapshot{Taken: f.At, Fabric: f.Fabric}
	}
	return r, nil
}

// historyStatus is how the history does, nil where none is to be kept.
func (s *Service) historyStatus() *api.HistoryStatus {
	switch {
	case s.noHistory != nil:
		return &api.HistoryStatus{Failing: true, Error: s.noHistory.Error(), Since: s.started}
	case s.history == nil:
		return nil
	}
	h := s.history.Status()
	status := &api.HistoryStatus{Failing: h.Err != nil, Since: h.Failing, LostEvents: h.LostEvents, LostStates: h.LostStates}
	if h.Err != nil {
		status.Error = h.Err.Error()
	}
	for _, r := range h.Rates {
		status.Rates = append(status.Rates, api.RatesKept{
			Interval: r.Interval.Seconds(), Keep: r.Keep.Seconds(), From: r.From, EarlySince: r.EarlySince,
		})
	}
	return status
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

func (p past) Events(ctx context.Context, q *api.EventQuery) ([]event.Event, error) {
	f := &history.Filter{Fabric: q.Fabric, GUID: q.GUID, After: q.After, Since: q.Since, Until: q.Until, Limit: q.Limit, Newest: q.Newest}
	for _, k := range q.Kinds {
		f.Kinds = append(f.Kinds, event.Kind(k))
	}
	for _, s := range q.Severities {
		f.Severities = append(f.Severities, event.Severity(s))
	}
	return p.db.Events(ctx, f)
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
