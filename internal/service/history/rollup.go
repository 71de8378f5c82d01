package history

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/internal/service/history/block"
)

// rollUp makes the rates of longer intervals of those of shorter ones, for each interval
// that has ended before the time of the last pass. An interval is a transaction, and
// where the last one ended is in the rows themselves: it goes on where it was whatever
// happens in between.
func (w *writer) rollUp(ctx context.Context, of *fabricRecord) error {
	for level := 1; level < numLevels; level++ {
		for {
			from, to, found, err := w.nextInterval(ctx, of, level)
			if err != nil || !found || to.After(of.passes) {
				if err != nil {
					return err
				}
				break
			}
			err = transact(ctx, w.db.write, func(tx *sql.Tx) error { return w.rollInterval(ctx, tx, of, level, from, to) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// rolledUpTo is until when a level has what the one below it has.
func (w *writer) rolledUpTo(ctx context.Context, fabricID int64, level int) (time.Time, error) {
	last, err := w.edge(ctx, "max", fabricID, level, never)
	if err != nil || last.IsZero() {
		return never, err
	}
	return last.Add(width[level]), nil
}

// nextInterval finds the first interval of a level that is not there yet.
func (w *writer) nextInterval(ctx context.Context, of *fabricRecord, level int) (from, to time.Time, found bool, err error) {
	done, err := w.rolledUpTo(ctx, of.id, level)
	if err != nil {
		return from, to, false, err
	}
	next, err := w.edge(ctx, "min", of.id, level-1, done)
	if err != nil || next.IsZero() {
		return from, to, false, err
	}
	from = next.Truncate(width[level])
	return from, from.Add(width[level]), true, nil
}

// edge is the time of the first or last rates of a level from a time on, zero for none.
func (w *writer) edge(ctx context.Context, which string, fabricID int64, level int, from time.Time) (time.Time, error) {
	first, last := rateRange(fabricID, level, from, forever)
	var key sql.NullInt64
	err := w.db.write.QueryRowContext(ctx, "SELECT "+which+"(key) FROM rates WHERE key BETWEEN ? AND ?", first, last).Scan(&key)
	if err != nil || !key.Valid {
		return time.Time{}, err
	}
	at, _ := splitKey(key.Int64)
	return at, nil
}

// row is a block of rates as it is stored.
type row struct {
	at     time.Time
	part   int
	layout int64
	body   []byte
}

// rollInterval makes an interval of a level, part by part.
func (w *writer) rollInterval(ctx context.Context, tx *sql.Tx, of *fabricRecord, level int, from, to time.Time) error {
	times, err := timesOf(ctx, tx, of.id, level-1, from, to)
	if err != nil {
		return err
	}
	query, err := tx.PrepareContext(ctx, "SELECT layout, body FROM rates WHERE key = ?")
	if err != nil {
		return err
	}
	defer query.Close()
	for part := range numParts {
		var rows []row
		for _, at := range times {
			r := row{at: at, part: part}
			err := query.QueryRowContext(ctx, rateKey(of.id, level-1, at, part)).Scan(&r.layout, &r.body)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err != nil {
				return err
			}
			rows = append(rows, r)
		}
		if len(rows) == 0 {
			continue
		}
		if err := w.rollPart(ctx, tx, of, level, from, rows); err != nil {
			return err
		}
	}
	return nil
}

// timesOf lists the times at which a level has rates.
func timesOf(ctx context.Context, tx *sql.Tx, fabricID int64, level int, from, to time.Time) (times []time.Time, err error) {
	for {
		first, last := rateRange(fabricID, level, from, to)
		var key int64
		err := tx.QueryRowContext(ctx, "SELECT key FROM rates WHERE key BETWEEN ? AND ? ORDER BY key LIMIT 1", first, last).Scan(&key)
		if errors.Is(err, sql.ErrNoRows) {
			return times, nil
		}
		if err != nil {
			return nil, err
		}
		at, _ := splitKey(key)
		times = append(times, at)
		from = at.Add(time.Second)
	}
}

// rollPart puts the rows of a part together into one.
func (w *writer) rollPart(ctx context.Context, tx *sql.Tx, of *fabricRecord, level int, from time.Time, rows []row) error {
	part := rows[0].part
	layouts, keys, err := layoutsOf(ctx, tx, rows)
	if err != nil {
		return err
	}
	all, err := layoutFor(ctx, tx, of.id, part, keys, from)
	if err != nil {
		return err
	}
	sums := make([]block.Gather, len(keys))
	for i := range sums {
		sums[i] = block.NewGather()
	}
	for _, r := range rows {
		l := layouts[r.layout]
		if err := w.unpacker.Unpack(r.body, len(l.keys), level-1); err != nil {
			return &named{ErrCorrupt, err}
		}
		for i, k := range l.keys {
			c := w.unpacker.At(i, len(l.keys), level-1)
			at := i
			if len(layouts) > 1 {
				at = all.find(k)
			}
			sums[at].Add(&c)
		}
	}
	cells := make([]block.Cell, len(sums))
	for i := range sums {
		cells[i] = sums[i].Cell
	}
	body, err := w.packer.Pack(cells, level)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO rates (key, layout, body) VALUES (?, ?, ?)", rateKey(of.id, level, from, part), all.id, body)
	return err
}

// layoutsOf reads the layouts of rows, and gives all ports that are in any of them.
func layoutsOf(ctx context.Context, tx *sql.Tx, rows []row) (layouts map[int64]*layout, keys []total.Key, err error) {
	layouts = map[int64]*layout{}
	for _, r := range rows {
		if layouts[r.layout] != nil {
			continue
		}
		l, err := layoutByID(ctx, tx, r.layout)
		if err != nil {
			return nil, nil, err
		}
		layouts[r.layout] = l
		keys = append(keys, l.keys...)
	}
	if len(layouts) > 1 {
		slices.SortFunc(keys, block.CompareKeys)
		keys = slices.Compact(keys)
	}
	return layouts, keys, nil
}
