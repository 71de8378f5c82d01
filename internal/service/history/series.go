package history

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/service/history/block"
)

// Range is a rate in an interval: what the passes in it told. All are -1 where it is not
// known.
type Range struct{ Min, Mean, Max float64 }

// IsKnown reports whether there is a value.
func (r Range) IsKnown() bool { return r.Mean >= 0 }

// Point is a port in an interval. Rates are right to 0.05 %.
type Point struct {
	From, To time.Time
	Known    time.Duration // how much of the interval the rates are about
	Passes   bool          // the interval is the one between two passes, so that Min, Mean and Max are the same

	// Per second, in the port's direction.
	XmitBytes, RcvBytes, XmitPackets, RcvPackets Range
	// Congestion is the share of time, 0…1, in which there was data to send and no credits.
	Congestion Range
	// Errors are those counted in the interval, of all kinds; -1 where it is not known.
	Errors float64
}

// Series lists the rates of a port from one time to another, the oldest first: of each
// pass where these are still stored, before that of 5 minutes, of hours, of days. There
// are some 2200 at most. A fabric named "" is the only one. Errors are *Error:
// ErrNothing where nothing is stored of the fabric; a port of which nothing is known has
// no points.
func (db *DB) Series(ctx context.Context, name string, node ib.GUID, port int, from, to time.Time) ([]Point, error) {
	name, err := db.FabricName(ctx, name)
	if err != nil {
		return nil, err
	}
	tx, err := db.read.BeginTx(ctx, nil) // so that nothing goes in between
	if err != nil {
		return nil, db.errorf("read", err, "rates")
	}
	defer tx.Rollback() //nolint:errcheck // it has only read
	s := &series{ctx: ctx, tx: tx, key: total.Key{Node: node, Num: port}, layouts: map[int64]*layout{}}
	err = tx.QueryRowContext(ctx, "SELECT id FROM fabrics WHERE name = ?", name).Scan(&s.fabric)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, db.errorf("read", ErrNothing, "a fabric named %s", name)
	}
	if err == nil {
		err = s.all(from, to)
	}
	return s.points, db.errorf("read", err, "rates")
}

type series struct {
	ctx     context.Context
	tx      *sql.Tx
	fabric  int64
	key     total.Key
	layouts map[int64]*layout
	unpack  block.Unpacker
	points  []Point // of one level, at last of all
}

// all reads level by level, each up to where the finer one begins.
func (s *series) all(from, to time.Time) error {
	if to.IsZero() || to.After(forever) {
		to = forever
	}
	if from.Before(never) {
		from = never
	}
	var levels [][]Point
	var begin time.Time // of what finer levels have
	end := to
	for level := range numLevels {
		s.points = nil
		if err := s.level(level, from, to, end); err != nil {
			return err
		}
		if len(s.points) > 0 {
			begin = s.points[0].From
			if level == 0 {
				begin = s.points[0].To // a pass is in the interval that it ended in
			}
		}
		if !begin.IsZero() && level+1 < numLevels {
			// What is too old goes in whole intervals of the next level.
			end = begin.Truncate(width[level+1])
		}
		levels = append(levels, s.points)
	}
	slices.Reverse(levels)
	s.points = slices.Concat(levels...)
	return nil
}

// level reads a level. It seeks from row to row of the port's part: those of other parts
// stand between them.
func (s *series) level(level int, from, to, end time.Time) error {
	query, err := s.tx.PrepareContext(s.ctx, "SELECT key, layout, body FROM rates WHERE key BETWEEN ? AND ? ORDER BY key LIMIT 1")
	if err != nil {
		return err
	}
	defer query.Close()
	part := partOf(s.key.Node)
	at := from
	if level > 0 {
		at = from.Add(-width[level]).Add(time.Second) // an interval that has begun before
	}
	last := rateKey(s.fabric, level, to, numParts-1)
	for next := rateKey(s.fabric, level, at, part); ; {
		var key int64
		var r row
		err := query.QueryRowContext(s.ctx, next, last).Scan(&key, &r.layout, &r.body)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		r.at, r.part = splitKey(key)
		switch {
		case r.part < part:
			next = key - int64(r.part) + int64(part)
			continue
		case r.part == part:
			if err := s.add(&r, level, end); err != nil {
				return err
			}
		}
		next = key - int64(r.part) + numParts + int64(part)
	}
}

// add adds the port's point of a row, unless a finer level has that time.
func (s *series) add(r *row, level int, end time.Time) error {
	l := s.layouts[r.layout]
	if l == nil {
		var err error
		if l, err = layoutByID(s.ctx, s.tx, r.layout); err != nil {
			return err
		}
		s.layouts[r.layout] = l
	}
	i := l.find(s.key)
	if i < 0 {
		return nil
	}
	if err := s.unpack.Unpack(r.body, len(l.keys), level); err != nil {
		return &named{ErrCorrupt, err}
	}
	c := s.unpack.At(i, len(l.keys), level)
	known := time.Duration(c.Seconds * float64(time.Second))
	if known <= 0 {
		return nil
	}
	p := Point{From: r.at, To: r.at.Add(width[level]), Known: known, Errors: c.Errors}
	if level == 0 {
		p.From, p.Passes = r.at.Add(-known), true
	}
	if level > 0 && !p.From.Before(end) {
		return nil
	}
	for n, to := range [block.NumRates]*Range{&p.XmitBytes, &p.RcvBytes, &p.XmitPackets, &p.RcvPackets, &p.Congestion} {
		*to = Range{c.Min[n], c.Mean[n], c.Max[n]}
	}
	s.points = append(s.points, p)
	return nil
}
