package history

import (
	"context"
	"database/sql"
	"fmt"
)

// migrations are the versions of the schema: each makes the next one of the one before.
// PRAGMA user_version tells how many a file has. They are never changed, only added.
//
// Times are nanoseconds since 1970, GUIDs are signed as SQLite's integers are.
var migrations = []string{`
CREATE TABLE fabrics (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  source TEXT NOT NULL
);
CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  fabric TEXT NOT NULL,
  kind TEXT NOT NULL,
  severity TEXT NOT NULL,
  at_guid INTEGER,
  to_guid INTEGER,
  body TEXT NOT NULL -- JSON, as all outputs have it
);
CREATE INDEX events_by_time ON events(time);
CREATE INDEX events_by_kind ON events(kind, id);
CREATE INDEX events_by_fabric ON events(fabric, id);
CREATE INDEX events_by_at ON events(at_guid, id) WHERE at_guid IS NOT NULL;
CREATE INDEX events_by_to ON events(to_guid, id) WHERE to_guid IS NOT NULL;
CREATE TABLE snapshots (
  id INTEGER PRIMARY KEY,
  fabric INTEGER NOT NULL REFERENCES fabrics(id),
  first INTEGER NOT NULL, -- when the fabric was found like this
  until INTEGER NOT NULL, -- and when it was found so last
  base INTEGER REFERENCES snapshots(id), -- that it is the difference to; NULL: it is whole
  nodes INTEGER NOT NULL,
  links INTEGER NOT NULL,
  problems INTEGER NOT NULL,
  size INTEGER NOT NULL, -- bytes of all lines
  hash BLOB NOT NULL, -- SHA-256 of all lines
  stored INTEGER NOT NULL -- bytes of body
);
CREATE INDEX snapshots_by_time ON snapshots(fabric, first);
CREATE INDEX snapshots_by_base ON snapshots(base);
CREATE TABLE bodies ( -- apart, so that a new until does not write them again
  snapshot INTEGER PRIMARY KEY REFERENCES snapshots(id),
  body BLOB NOT NULL -- lines or a script, deflated
);
CREATE TABLE layouts ( -- the ports of a group of nodes, in the order of their rates
  id INTEGER PRIMARY KEY,
  fabric INTEGER NOT NULL REFERENCES fabrics(id),
  part INTEGER NOT NULL,
  used INTEGER NOT NULL, -- when rates were stored in it, to a day
  hash BLOB NOT NULL,
  body BLOB NOT NULL,
  UNIQUE (fabric, part, hash)
);
CREATE TABLE rates (
  key INTEGER PRIMARY KEY, -- fabric, level, time in seconds, part
  layout INTEGER NOT NULL,
  body BLOB NOT NULL
);
`}

// migrate brings a file to the last version, each step in a transaction.
func migrate(ctx context.Context, db *sql.DB, steps []string) error {
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	for ; version < len(steps); version++ {
		script := fmt.Sprintf("%s;\nPRAGMA user_version = %d; PRAGMA application_id = %d;", steps[version], version+1, applicationID)
		err := transact(ctx, db, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, script)
			return err
		})
		if err != nil {
			return fmt.Errorf("version %d of the schema: %w", version+1, err)
		}
	}
	return nil
}

// transact runs f in a transaction, which is undone if f gives an error.
func transact(ctx context.Context, db *sql.DB, f func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		_ = tx.Rollback() // the first error tells more
		return err
	}
	return tx.Commit()
}
