package history

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/ib"
)

// Filter says which events are wanted. The zero value wants the first maxEvents.
type Filter struct {
	Fabric     string           // "" for all
	Kinds      []event.Kind     // nil for all
	Severities []event.Severity // nil for all
	GUID       ib.GUID          // of a node at either end; 0 for all
	After      uint64           // only events with a higher ID
	Since      time.Time        // only events seen at this time or later
	Until      time.Time        // only events seen before this time
	Limit      int              // at most so many; 0 for 10000
	Newest     bool             // the last ones of these, in place of the first
}

// maxEvents bounds the answer to a Filter without a limit.
const maxEvents = 10000

// Events lists events by ID. Errors are *Error.
func (db *DB) Events(ctx context.Context, f *Filter) ([]event.Event, error) {
	if f == nil {
		f = &Filter{}
	}
	where, args := f.conditions()
	order := "id"
	if f.Newest {
		order = "id DESC"
	}
	limit := f.Limit
	if limit <= 0 {
		limit = maxEvents
	}
	rows, err := db.read.QueryContext(ctx, "SELECT id, body FROM events WHERE "+where+" ORDER BY "+order+" LIMIT ?", append(args, limit)...)
	if err != nil {
		return nil, db.errorf("read", err, "events")
	}
	defer rows.Close()
	var list []event.Event
	for rows.Next() {
		var id int64
		var body []byte
		if err := rows.Scan(&id, &body); err != nil {
			return nil, db.errorf("read", err, "events")
		}
		var e event.Event
		if err := json.Unmarshal(body, &e); err != nil {
			return nil, db.errorf("read", &named{ErrCorrupt, err}, "event %d", id)
		}
		e.ID = uint64(id)
		list = append(list, e)
	}
	if f.Newest {
		slices.Reverse(list)
	}
	return list, db.errorf("read", rows.Err(), "events")
}

// conditions is the filter in SQL.
func (f *Filter) conditions() (where string, args []any) {
	all := []string{"id > ?"}
	args = append(args, int64(f.After))
	if !f.Since.IsZero() {
		// IDs are in the order of time but for clocks that are put back: with a first ID no
		// more is looked at than there is from then on.
		all[0] = "id > max(?, (SELECT coalesce(min(id), 1 << 62) FROM events INDEXED BY events_by_time WHERE time >= ?) - 1)"
		args = append(args, f.Since.UnixNano())
	}
	add := func(condition string, values ...any) {
		all, args = append(all, condition), append(args, values...)
	}
	if f.Fabric != "" {
		add("fabric = ?", f.Fabric)
	}
	if f.GUID != 0 {
		add("(at_guid = ? OR to_guid = ?)", int64(f.GUID), int64(f.GUID))
	}
	if !f.Since.IsZero() {
		add("time >= ?", f.Since.UnixNano())
	}
	if !f.Until.IsZero() {
		add("time < ?", f.Until.UnixNano())
	}
	if len(f.Kinds) > 0 {
		add("kind IN ("+marks(len(f.Kinds))+")", anys(f.Kinds)...)
	}
	if len(f.Severities) > 0 {
		add("severity IN ("+marks(len(f.Severities))+")", anys(f.Severities)...)
	}
	return strings.Join(all, " AND "), args
}

func marks(n int) string { return strings.TrimSuffix(strings.Repeat("?,", n), ",") }

func anys[T ~string](list []T) []any {
	out := make([]any, 0, len(list))
	for _, v := range list {
		out = append(out, string(v))
	}
	return out
}

// lastEvent is the ID of the last event, 0 for none.
func (db *DB) lastEvent(ctx context.Context) (uint64, error) {
	var id sql.NullInt64
	err := db.read.QueryRowContext(ctx, "SELECT max(id) FROM events").Scan(&id)
	return uint64(id.Int64), err
}

// storeEvents stores events, all of them or none.
func (db *DB) storeEvents(ctx context.Context, list []event.Event) error {
	return transact(ctx, db.write, func(tx *sql.Tx) error {
		insert, err := tx.PrepareContext(ctx, "INSERT INTO events (id, time, fabric, kind, severity, at_guid, to_guid, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
		if err != nil {
			return err
		}
		defer insert.Close()
		for i := range list {
			e := &list[i]
			body, err := json.Marshal(e)
			if err != nil {
				return err
			}
			_, err = insert.ExecContext(ctx, int64(e.ID), e.Time.UnixNano(), e.Fabric, string(e.Kind), string(e.Severity),
				guidOrNull(e.At.GUID), guidOrNull(e.To.GUID), string(body))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func guidOrNull(g ib.GUID) any {
	if g == 0 {
		return nil
	}
	return int64(g)
}
