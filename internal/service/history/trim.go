package history

import (
	"context"
	"database/sql"
	"time"
)

const (
	trimEvery  = time.Minute // what is too old goes this often
	trimRows   = 2000        // at most so many rows in one transaction
	trimPages  = 2000        // at most so many pages are given back at once
	fullShare  = 0.90        // of MaxBytes, beyond which more goes than what is too old
	afterShare = 0.80        // and what is left then
)

// trim removes what is too old and what is too much, in bounded steps.
func (w *writer) trim(ctx context.Context) error {
	now := w.db.o.Now()
	old := now.Sub(w.trimmed) >= trimEvery || now.Before(w.trimmed)
	if old {
		if err := w.trimAge(ctx, now); err != nil {
			return err
		}
		w.trimmed = now
	}
	much, err := w.trimSize(ctx)
	if err == nil && (old || much) {
		err = w.measureRates(ctx, now)
	}
	if err != nil {
		return err
	}
	return w.shrink(ctx)
}

// trimAge removes what is too old. Rates go in whole intervals of the next level, so
// that the levels meet without a gap.
func (w *writer) trimAge(ctx context.Context, now time.Time) error {
	k := &w.db.o.Keep
	ids, err := w.fabricIDs(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		for level := range numLevels {
			before := now.Add(-k.of(level))
			if level+1 < numLevels {
				before = before.Truncate(width[level+1])
			}
			if _, err := w.trimRates(ctx, id, level, before); err != nil {
				return err
			}
		}
		if err := w.trimChains(ctx, id, now.Add(-k.Snapshots)); err != nil {
			return err
		}
	}
	if _, err := w.remove(ctx, "DELETE FROM events WHERE id IN (SELECT id FROM events WHERE time < ? AND id < (SELECT max(id) FROM events) ORDER BY time LIMIT ?)", now.Add(-k.Events).UnixNano()); err != nil {
		return err
	}
	_, err = w.remove(ctx, "DELETE FROM layouts WHERE id IN (SELECT id FROM layouts WHERE used < ? LIMIT ?)", now.Add(-k.Days-2*day).UnixNano())
	return err
}

// remove deletes rows, a bounded number at a time, until there are no more.
func (w *writer) remove(ctx context.Context, statement string, args ...any) (removed int64, err error) {
	for {
		var n int64
		err := transact(ctx, w.db.write, func(tx *sql.Tx) error {
			result, err := tx.ExecContext(ctx, statement, append(args[:len(args):len(args)], trimRows)...)
			if err == nil {
				n, err = result.RowsAffected()
			}
			return err
		})
		removed += n
		if err != nil || n < trimRows {
			return removed, err
		}
	}
}

// trimRates removes rates of a level before a time, as far as the next level has them. It
// gives the time before which there are none now, zero if none were removed.
func (w *writer) trimRates(ctx context.Context, fabricID int64, level int, before time.Time) (time.Time, error) {
	if level+1 < numLevels {
		done, err := w.rolledUpTo(ctx, fabricID, level+1)
		if err != nil {
			return time.Time{}, err
		}
		if done.Before(before) {
			before = done
		}
	}
	first, last := rateRange(fabricID, level, never, before)
	n, err := w.remove(ctx, "DELETE FROM rates WHERE key IN (SELECT key FROM rates WHERE key BETWEEN ? AND ? ORDER BY key LIMIT ?)", first, last)
	if n == 0 {
		before = time.Time{}
	}
	return before, err
}

// trimOldestRates removes the oldest rates of a level that the next level has: those of
// an interval of that.
func (w *writer) trimOldestRates(ctx context.Context, fabricID int64, level int) error {
	first, err := w.edge(ctx, "min", fabricID, level, never)
	if err != nil || first.IsZero() {
		return err
	}
	next := width[min(level+1, numLevels-1)]
	gone, err := w.trimRates(ctx, fabricID, level, first.Truncate(next).Add(next))
	if !gone.IsZero() {
		w.cuts[cutAt{fabricID, level}] = gone
	}
	return err
}

// trimChains removes the snapshots of a fabric that nothing needs that is of a time or
// later: whole chains.
func (w *writer) trimChains(ctx context.Context, fabricID int64, before time.Time) error {
	return transact(ctx, w.db.write, func(tx *sql.Tx) error {
		var keep sql.NullInt64
		err := tx.QueryRowContext(ctx, "SELECT max(id) FROM snapshots WHERE fabric = ? AND base IS NULL AND first <= ?", fabricID, before.UnixNano()).Scan(&keep)
		if err != nil || !keep.Valid {
			return err
		}
		return removeChains(ctx, tx, fabricID, keep.Int64)
	})
}

// removeChains removes the snapshots before a whole one.
func removeChains(ctx context.Context, tx *sql.Tx, fabricID, whole int64) error {
	for _, statement := range []string{
		"DELETE FROM bodies WHERE snapshot IN (SELECT id FROM snapshots WHERE fabric = ? AND id < ?)",
		"UPDATE snapshots SET base = NULL WHERE fabric = ? AND id < ?", // so that they may go in any order
		"DELETE FROM snapshots WHERE fabric = ? AND id < ?",
	} {
		if _, err := tx.ExecContext(ctx, statement, fabricID, whole); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) fabricIDs(ctx context.Context) (ids []int64, err error) {
	rows, err := w.db.write.QueryContext(ctx, "SELECT id FROM fabrics")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// pages are those of the file, and those of them that are free.
type pages struct{ all, free, size int64 }

func (p pages) used() int64 { return (p.all - p.free) * p.size }

func (w *writer) pages(ctx context.Context) (p pages, err error) {
	for query, to := range map[string]*int64{"PRAGMA page_count": &p.all, "PRAGMA freelist_count": &p.free, "PRAGMA page_size": &p.size} {
		if err := w.db.write.QueryRowContext(ctx, query).Scan(to); err != nil {
			return p, err
		}
	}
	return p, nil
}

// trimSize removes the oldest of the finest rates, then those of the next level and so
// on, then the oldest snapshots, then the oldest events, until there is room. It reports
// whether there was too much.
func (w *writer) trimSize(ctx context.Context) (much bool, err error) {
	p, err := w.pages(ctx)
	limit := float64(w.db.o.MaxBytes)
	if err != nil || float64(p.used()) <= limit*fullShare {
		return false, err
	}
	ids, err := w.fabricIDs(ctx)
	if err != nil {
		return true, err
	}
	for _, step := range w.steps(ids) {
		for {
			was := p.used()
			if err := step(ctx); err != nil {
				return true, err
			}
			if p, err = w.pages(ctx); err != nil || float64(p.used()) <= limit*afterShare {
				return true, err
			}
			if p.used() >= was {
				break // there is no more of this
			}
		}
	}
	return true, nil
}

// steps are what goes when there is no room, in this order.
func (w *writer) steps(ids []int64) (list []func(context.Context) error) {
	each := func(f func(context.Context, int64) error) {
		list = append(list, func(ctx context.Context) error {
			for _, id := range ids {
				if err := f(ctx, id); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for level := range numLevels {
		each(func(ctx context.Context, id int64) error { return w.trimOldestRates(ctx, id, level) })
	}
	each(w.trimOldestChain)
	return append(list, w.trimOldestEvents)
}

// trimOldestEvents removes some events. The last one stays: its ID says where the log
// goes on.
func (w *writer) trimOldestEvents(ctx context.Context) error {
	return transact(ctx, w.db.write, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY id LIMIT ?) AND id < (SELECT max(id) FROM events)", trimRows)
		return err
	})
}

// trimOldestChain removes the oldest whole snapshot of a fabric and what follows from it,
// unless it is the last.
func (w *writer) trimOldestChain(ctx context.Context, fabricID int64) error {
	return transact(ctx, w.db.write, func(tx *sql.Tx) error {
		var second sql.NullInt64
		err := tx.QueryRowContext(ctx, "SELECT min(id) FROM snapshots WHERE fabric = ? AND base IS NULL AND id > (SELECT min(id) FROM snapshots WHERE fabric = ?)", fabricID, fabricID).Scan(&second)
		if err != nil || !second.Valid {
			return err
		}
		return removeChains(ctx, tx, fabricID, second.Int64)
	})
}

// shrink gives pages back to the file system, some at a time, once a quarter of the file
// is free. Less than that will be used again.
func (w *writer) shrink(ctx context.Context) error {
	p, err := w.pages(ctx)
	if err != nil || p.free < trimPages || p.free*4 < p.all {
		return err
	}
	// The file itself gets shorter when the journal has been taken over into it.
	for _, statement := range []string{"PRAGMA incremental_vacuum(2000)", "PRAGMA wal_checkpoint(PASSIVE)"} {
		if _, err := w.db.write.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
