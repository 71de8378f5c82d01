package history

import (
	"context"
	"database/sql"
	"os"
	"time"

	"github.com/ibscope/ibscope/event"
)

// Summary is what a database holds.
type Summary struct {
	Path    string
	Bytes   int64 // of the file and its journal
	Version int   // of the schema
	Fabrics []FabricSummary
	Events  []EventSummary // by fabric and kind
}

// FabricSummary is what is stored of a fabric.
type FabricSummary struct {
	Name, Source  string
	Snapshots     int // states that were different
	Whole         int // of these, those that are not stored as differences
	SnapshotBytes int64
	First, Until  time.Time // of the first and the last
	Nodes, Links  int       // in the last
	Rates         []RateSummary
}

// RateSummary are the rates of a level.
type RateSummary struct {
	Interval    time.Duration // 0 for those of passes
	First, Last time.Time
	Times       int
	Bytes       int64
}

// EventSummary are the events of a kind.
type EventSummary struct {
	Fabric      string
	Kind        event.Kind
	Count       int
	First, Last time.Time
}

// Summary counts what there is. It reads most of the file's index: a second for some GB.
// Errors are *Error.
func (db *DB) Summary(ctx context.Context) (*Summary, error) {
	s := &Summary{Path: db.path}
	for _, end := range []string{"", "-wal"} {
		if info, err := os.Stat(db.path + end); err == nil {
			s.Bytes += info.Size()
		}
	}
	tx, err := db.read.BeginTx(ctx, nil)
	if err != nil {
		return nil, db.errorf("read", err, "")
	}
	defer tx.Rollback() //nolint:errcheck // it has only read
	for _, part := range []func(context.Context, *sql.Tx) error{s.version, s.fabrics, s.events} {
		if err := part(ctx, tx); err != nil {
			return nil, db.errorf("read", err, "")
		}
	}
	return s, nil
}

func (s *Summary) version(ctx context.Context, tx *sql.Tx) error {
	return tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&s.Version)
}

func (s *Summary) events(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, "SELECT fabric, kind, count(*), min(time), max(time) FROM events GROUP BY fabric, kind ORDER BY fabric, kind")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var e EventSummary
		var first, last int64
		if err := rows.Scan(&e.Fabric, &e.Kind, &e.Count, &first, &last); err != nil {
			return err
		}
		e.First, e.Last = time.Unix(0, first).UTC(), time.Unix(0, last).UTC()
		s.Events = append(s.Events, e)
	}
	return rows.Err()
}

func (s *Summary) fabrics(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, "SELECT id, name, source FROM fabrics ORDER BY name")
	if err != nil {
		return err
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var f FabricSummary
		var id int64
		if err := rows.Scan(&id, &f.Name, &f.Source); err != nil {
			return err
		}
		s.Fabrics, ids = append(s.Fabrics, f), append(ids, id)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	rows.Close()
	for i := range s.Fabrics {
		if err := s.Fabrics[i].read(ctx, tx, ids[i]); err != nil {
			return err
		}
	}
	return nil
}

func (f *FabricSummary) read(ctx context.Context, tx *sql.Tx, id int64) error {
	var first, until sql.NullInt64
	err := tx.QueryRowContext(ctx, "SELECT count(*), coalesce(sum(base IS NULL), 0), coalesce(sum(stored), 0), min(first), max(until) FROM snapshots WHERE fabric = ?", id).
		Scan(&f.Snapshots, &f.Whole, &f.SnapshotBytes, &first, &until)
	if err != nil {
		return err
	}
	if f.Snapshots > 0 {
		f.First, f.Until = time.Unix(0, first.Int64).UTC(), time.Unix(0, until.Int64).UTC()
		err := tx.QueryRowContext(ctx, "SELECT nodes, links FROM snapshots WHERE fabric = ? ORDER BY id DESC LIMIT 1", id).Scan(&f.Nodes, &f.Links)
		if err != nil {
			return err
		}
	}
	for level := range numLevels {
		r := RateSummary{Interval: width[level]}
		from, to := rateRange(id, level, never, forever)
		var first, last sql.NullInt64
		err := tx.QueryRowContext(ctx, "SELECT count(DISTINCT key >> 8), coalesce(sum(length(body)), 0), min(key), max(key) FROM rates WHERE key BETWEEN ? AND ?", from, to).
			Scan(&r.Times, &r.Bytes, &first, &last)
		if err != nil {
			return err
		}
		if r.Times == 0 {
			continue
		}
		r.First, _ = splitKey(first.Int64)
		r.Last, _ = splitKey(last.Int64)
		r.Last = r.Last.Add(r.Interval)
		f.Rates = append(f.Rates, r)
	}
	return nil
}
