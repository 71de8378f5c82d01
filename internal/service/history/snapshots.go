package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/service/history/lines"
)

// Snapshot tells of a fabric as it is stored. It stood like this from First to Until, as
// far as sweeps have seen.
type Snapshot struct {
	ID           int64
	Fabric       string // its name
	Source       string // its URI
	First, Until time.Time
	Nodes, Links int
	Problems     int
	Whole        bool  // not stored as the difference to the one before
	Bytes        int64 // that it takes
	Size         int64 // of its lines

	base int64
	hash []byte
}

const snapshotColumns = "s.id, f.name, f.source, s.first, s.until, s.nodes, s.links, s.problems, s.base IS NULL, s.stored, s.size, coalesce(s.base, 0), s.hash FROM snapshots s JOIN fabrics f ON f.id = s.fabric"

// scanner is a row of a query.
type scanner interface{ Scan(...any) error }

func scanSnapshot(row scanner) (s Snapshot, err error) {
	var first, until int64
	err = row.Scan(&s.ID, &s.Fabric, &s.Source, &first, &until, &s.Nodes, &s.Links, &s.Problems, &s.Whole, &s.Bytes, &s.Size, &s.base, &s.hash)
	s.First, s.Until = time.Unix(0, first).UTC(), time.Unix(0, until).UTC()
	return s, err
}

// Snapshots lists the states of a fabric that are stored, the oldest first: those that
// stood at any time from the first time to the second; a zero time is no bound. A fabric
// named "" is the only one. At most limit are listed, the last ones; 0 for 10000.
func (db *DB) Snapshots(ctx context.Context, name string, from, to time.Time, limit int) ([]Snapshot, error) {
	name, err := db.FabricName(ctx, name)
	if err != nil {
		return nil, err
	}
	if limit <= 0 {
		limit = maxEvents
	}
	rows, err := db.read.QueryContext(ctx, "SELECT "+snapshotColumns+
		" WHERE f.name = ? AND s.until >= ? AND s.first <= ? ORDER BY s.first DESC, s.id DESC LIMIT ?", name, nanoseconds(from, 0), nanoseconds(to, maxTime), limit)
	if err != nil {
		return nil, db.errorf("read", err, "snapshots")
	}
	defer rows.Close()
	var list []Snapshot
	for rows.Next() {
		s, err := scanSnapshot(rows)
		if err != nil {
			return nil, db.errorf("read", err, "snapshots")
		}
		list = append(list, s)
	}
	slices.Reverse(list)
	return list, db.errorf("read", rows.Err(), "snapshots")
}

const maxTime = 1<<63 - 1

func nanoseconds(t time.Time, none int64) int64 {
	if t.IsZero() {
		return none
	}
	return t.UnixNano()
}

// FabricAt makes the fabric as it was at a time; the zero time is the last there is. A
// fabric named "" is the only one. Errors are *Error: ErrNothing where nothing is stored
// of that fabric or that time, ErrCorrupt where what is read is not what was written.
func (db *DB) FabricAt(ctx context.Context, name string, at time.Time) (*fabric.Fabric, Snapshot, error) {
	name, err := db.FabricName(ctx, name)
	if err != nil {
		return nil, Snapshot{}, err
	}
	tx, err := db.read.BeginTx(ctx, nil) // so that nothing goes in between
	if err != nil {
		return nil, Snapshot{}, db.errorf("read", err, "snapshots")
	}
	defer tx.Rollback() //nolint:errcheck // it has only read
	s, err := scanSnapshot(tx.QueryRowContext(ctx, "SELECT "+snapshotColumns+
		" WHERE f.name = ? AND s.first <= ? ORDER BY s.first DESC, s.id DESC LIMIT 1", name, nanoseconds(at, maxTime)))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, s, db.nothingAt(ctx, tx, name, at)
	}
	if err != nil {
		return nil, s, db.errorf("read", err, "snapshots")
	}
	f, err := rebuild(ctx, tx, &s)
	return f, s, db.errorf("read", err, "the fabric of %s", s.First.Format(time.RFC3339))
}

// nothingAt is the error for a time before the first snapshot.
func (db *DB) nothingAt(ctx context.Context, q querier, name string, at time.Time) error {
	var first sql.NullInt64
	err := q.QueryRowContext(ctx, "SELECT min(s.first) FROM snapshots s JOIN fabrics f ON f.id = s.fabric WHERE f.name = ?", name).Scan(&first)
	what := "the fabric " + name
	switch {
	case err != nil:
		return db.errorf("read", err, "snapshots")
	case first.Valid:
		what += fmt.Sprintf(" at %s; it begins at %s", at.UTC().Format(time.RFC3339), time.Unix(0, first.Int64).UTC().Format(time.RFC3339))
	}
	return db.errorf("read", ErrNothing, "%s", what)
}

// rebuild makes a fabric of its snapshot and those below it.
func rebuild(ctx context.Context, q querier, s *Snapshot) (*fabric.Fabric, error) {
	text, err := snapshotLines(ctx, q, s)
	if err != nil {
		return nil, err
	}
	f, err := lines.Fabric(text)
	if err != nil {
		return nil, &named{ErrCorrupt, err}
	}
	return f, nil
}

// querier is a pool of connections, or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// snapshotLines are those of a snapshot: the whole one below it, and the scripts from there on.
func snapshotLines(ctx context.Context, q querier, s *Snapshot) ([][]byte, error) {
	var scripts [][]byte
	id, whole := s.ID, []byte(nil)
	for range maxChain + 1 {
		var base sql.NullInt64
		var body []byte
		err := q.QueryRowContext(ctx, "SELECT s.base, b.body FROM snapshots s JOIN bodies b ON b.snapshot = s.id WHERE s.id = ?", id).Scan(&base, &body)
		if err != nil {
			return nil, err
		}
		text, err := inflate(body)
		if err != nil {
			return nil, &named{ErrCorrupt, err}
		}
		if !base.Valid {
			whole = text
			break
		}
		scripts, id = append(scripts, text), base.Int64
	}
	all := lines.Split(whole)
	for i := len(scripts) - 1; i >= 0; i-- {
		var err error
		if all, err = lines.Apply(all, scripts[i]); err != nil {
			return nil, &named{ErrCorrupt, err}
		}
	}
	if size, hash := hashOf(all); size != s.Size || string(hash) != string(s.hash) {
		return nil, &named{ErrCorrupt, errors.New("the lines are not those that were stored")}
	}
	return all, nil
}

// fabrics lists the names of fabrics.
func (db *DB) fabrics(ctx context.Context) (names []string, err error) {
	rows, err := db.read.QueryContext(ctx, "SELECT name FROM fabrics ORDER BY id")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// FabricName is the name of the fabric that a name means: that one, or for "" the only
// one. Another name is ErrNothing.
func (db *DB) FabricName(ctx context.Context, name string) (string, error) {
	names, err := db.fabrics(ctx)
	switch {
	case err != nil:
		return "", db.errorf("read", err, "the fabrics")
	case slices.Contains(names, name):
		return name, nil
	case name != "":
		return "", db.errorf("read", ErrNothing, "a fabric named %q", name)
	case len(names) == 0:
		return "", db.errorf("read", ErrNothing, "any fabric")
	case len(names) > 1:
		return "", db.errorf("read", fmt.Errorf("there are %d, say which: %q", len(names), names), "fabrics")
	}
	return names[0], nil
}
