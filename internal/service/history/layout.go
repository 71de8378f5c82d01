package history

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/internal/service/history/block"
)

// Nodes are stored in parts, so that the rates of a port are read without those of
// all others, and those of a pass are written in a few hundred rows. A node is in the
// part that its GUID says, for ever.
const (
	partBits = 8
	numParts = 1 << partBits
)

// layout is the ports of a part, in order.
type layout struct {
	id   int64
	keys []total.Key
}

// find is the position of a port, -1 for none.
func (l *layout) find(k total.Key) int {
	if i, found := slices.BinarySearchFunc(l.keys, k, block.CompareKeys); found {
		return i
	}
	return -1
}

// layoutFor finds the layout of some ports, or makes it. The time is that of the rates:
// layouts that no rates need any more are known by it.
func layoutFor(ctx context.Context, tx *sql.Tx, fabricID int64, part int, keys []total.Key, at time.Time) (*layout, error) {
	l := &layout{keys: keys}
	body := block.EncodeKeys(keys)
	sum := sha256.Sum256(body)
	var used int64
	err := tx.QueryRowContext(ctx, "SELECT id, used FROM layouts WHERE fabric = ? AND part = ? AND hash = ?", fabricID, part, sum[:16]).Scan(&l.id, &used)
	if errors.Is(err, sql.ErrNoRows) {
		result, err := tx.ExecContext(ctx, "INSERT INTO layouts (fabric, part, used, hash, body) VALUES (?, ?, ?, ?, ?)", fabricID, part, at.UnixNano(), sum[:16], body)
		if err != nil {
			return nil, err
		}
		l.id, err = result.LastInsertId()
		return l, err
	}
	if err == nil && at.UnixNano()-used > int64(day) {
		_, err = tx.ExecContext(ctx, "UPDATE layouts SET used = ? WHERE id = ?", at.UnixNano(), l.id)
	}
	return l, err
}

// layoutByID reads a layout.
func layoutByID(ctx context.Context, q querier, id int64) (*layout, error) {
	var body []byte
	if err := q.QueryRowContext(ctx, "SELECT body FROM layouts WHERE id = ?", id).Scan(&body); err != nil {
		return nil, err
	}
	keys, err := block.DecodeKeys(body)
	if err != nil {
		return nil, &named{ErrCorrupt, err}
	}
	return &layout{id: id, keys: keys}, nil
}
