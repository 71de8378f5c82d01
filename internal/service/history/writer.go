package history

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/service/history/block"
	"github.com/ibscope/ibscope/watch"
)

// batch is how many events are stored in one transaction.
const batch = 1000

// After a failure it is tried again after this time, then after twice that and so on;
// and whenever there is something new.
const (
	firstRetry = 5 * time.Second
	lastRetry  = time.Minute
)

// closing is how long Run takes at the end to store what is there.
const closing = 10 * time.Second

// Run follows a log from the last event that is stored (Last says where the log has to
// begin, so that IDs go on), and stores what Record gets,
// until the context ends. It is the only one that writes; a second Run waits for the
// first. When storing fails it tells Status, goes on, and tries again. At the end it
// stores what is there. It gives the context's error, or ErrNothing for a DB that is
// only read.
func (db *DB) Run(ctx context.Context, log *event.Log) error {
	if db.write == nil {
		return db.errorf("write", ErrNothing, "it is open for reading only")
	}
	db.running.Lock()
	defer db.running.Unlock()
	w := newWriter(db)
	after, err := db.lastEvent(context.WithoutCancel(ctx))
	if err != nil {
		db.failed(db.errorf("read", err, "the last event"))
		return db.errorf("read", err, "the last event")
	}
	w.event = after
	db.report(func(s *Status) { s.Event = after })
	inner, cancel := context.WithCancel(ctx)
	followed := make(chan struct{})
	wake := make(chan struct{}, 1)
	next := make(chan uint64, 1)
	next <- after
	go func() {
		defer close(followed)
		follow(inner, log, next, wake)
	}()
	w.loop(ctx, log, wake, next)
	cancel()
	<-followed
	last, done := context.WithTimeout(context.WithoutCancel(ctx), closing)
	defer done()
	_ = w.work(last, log) // what fails is in the Status
	return ctx.Err()
}

// follow wakes the writer when there are events after the one that it names.
func follow(ctx context.Context, log *event.Log, next <-chan uint64, wake chan<- struct{}) {
	for {
		var after uint64
		select {
		case after = <-next:
		case <-ctx.Done():
			return
		}
		if _, _, err := log.Wait(ctx, after); err != nil {
			return
		}
		select {
		case wake <- struct{}{}:
		case <-ctx.Done():
			return
		}
	}
}

// writer is the state of Run.
type writer struct {
	db       *DB
	event    uint64 // the last one that is stored
	fabrics  map[string]*fabricRecord
	packer   *block.Packer
	unpacker block.Unpacker
	trimmed  time.Time

	// cuts are the times before which rates went, because there was no room for them.
	cuts map[cutAt]time.Time
}

// fabricRecord is what the writer knows of a fabric.
type fabricRecord struct {
	id     int64
	stored time.Time      // of the last sweep that was stored
	model  *fabric.Fabric // of that sweep
	chain  *chain
	passes time.Time // of the last pass that was stored
	parts  [numParts]*layout
}

func newWriter(db *DB) *writer {
	return &writer{db: db, fabrics: map[string]*fabricRecord{}, packer: block.NewPacker(), cuts: map[cutAt]time.Time{}}
}

func (w *writer) loop(ctx context.Context, log *event.Log, wake <-chan struct{}, next chan<- uint64) {
	retry := time.NewTimer(time.Hour)
	defer retry.Stop()
	first := cmp.Or(w.db.o.retry, firstRetry)
	wait := first
	following := true
	for {
		select {
		case <-ctx.Done():
			return
		case <-wake:
			following = false
		case <-w.db.mail:
		case <-retry.C:
		}
		// What has begun is finished: it is short.
		if err := w.work(context.WithoutCancel(ctx), log); err != nil {
			retry.Reset(wait)
			wait = min(2*wait, lastRetry)
			continue
		}
		retry.Stop()
		wait = first
		if !following {
			following = true
			next <- w.event
		}
	}
}

// work stores all that there is, and tells the status how it went.
func (w *writer) work(ctx context.Context, log *event.Log) error {
	err := w.events(ctx, log)
	if err == nil {
		err = w.states(ctx)
	}
	if err == nil {
		err = w.trim(ctx)
	}
	w.db.measure()
	if err != nil {
		err = w.db.errorf("write", err, "")
		w.db.failed(err)
		return err
	}
	w.db.succeeded()
	return nil
}

// events stores the events after the last one.
func (w *writer) events(ctx context.Context, log *event.Log) error {
	for {
		list, missed := log.Since(w.event)
		if len(list) == 0 && missed == 0 {
			return nil
		}
		w.event += missed
		w.db.report(func(s *Status) { s.LostEvents += missed })
		for len(list) > 0 {
			n := min(len(list), batch)
			if err := w.db.storeEvents(ctx, list[:n]); err != nil {
				return err
			}
			w.event = list[n-1].ID
			list = list[n:]
			w.db.report(func(s *Status) { s.Event = w.event })
		}
	}
}

// states stores the states in the mailbox. One that could not be stored stays there.
func (w *writer) states(ctx context.Context) error {
	for {
		s := w.db.peek()
		if s == nil {
			return nil
		}
		if err := w.state(ctx, s); err != nil {
			return err
		}
		w.db.drop(s)
	}
}

// state stores a state: its fabric and its rates, whichever are new, in one transaction.
func (w *writer) state(ctx context.Context, s *watch.State) error {
	of := w.fabrics[s.Name]
	if of == nil {
		of = &fabricRecord{}
		err := transact(ctx, w.db.write, func(tx *sql.Tx) (err error) {
			of.id, err = fabricID(ctx, tx, s)
			return err
		})
		if err != nil {
			return err
		}
		w.fabrics[s.Name] = of
	}
	swept := s.Fabric != nil && !s.Stored && !s.At.Equal(of.stored)
	passed := s.Totals != nil && !s.Stored && !s.Totals.At.Equal(of.passes)
	if !swept && !passed {
		return nil
	}
	next := *of
	err := transact(ctx, w.db.write, func(tx *sql.Tx) (err error) {
		if swept {
			if next.chain, err = w.storeFabric(ctx, tx, of, s); err != nil {
				return err
			}
			next.stored, next.model = s.At, s.Fabric
		}
		if passed {
			if next.parts, err = w.storePass(ctx, tx, of, s.Totals); err != nil {
				return err
			}
			next.passes = s.Totals.At
		}
		return nil
	})
	if err != nil {
		return err
	}
	*of = next
	return w.rollUp(ctx, of)
}

// fabricID is the number of a fabric, which gets one if it has none.
func fabricID(ctx context.Context, tx *sql.Tx, s *watch.State) (id int64, err error) {
	err = tx.QueryRowContext(ctx, "SELECT id FROM fabrics WHERE name = ?", s.Name).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		result, err := tx.ExecContext(ctx, "INSERT INTO fabrics (name, source) VALUES (?, ?)", s.Name, s.Source)
		if err != nil {
			return 0, err
		}
		return result.LastInsertId()
	}
	if err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, "UPDATE fabrics SET source = ? WHERE id = ? AND source <> ?", s.Source, id, s.Source)
	return id, err
}
