package history

import (
	"os"
	"slices"
	"time"
)

// Status is how a database does.
type Status struct {
	Path     string
	Bytes    int64 // of the file and its journal
	MaxBytes int64
	MovedTo  string // where Options.MoveAside put what was there

	Event   uint64    // the ID of the last event that is stored
	Written time.Time // when something was stored last

	Waiting int // states that are not stored yet

	Rates []Reach // how far those of each level go back, the finest first; nil before Run

	// Err is why nothing can be stored now, since Failing; nil when all is well. It is
	// *Error, as of a full disk (syscall.ENOSPC) or a damaged file (ErrCorrupt).
	Err      error
	Failing  time.Time
	Failures uint64 // since the start

	// What was not stored since the start, and will not be: events that were no longer
	// in the log, states that came while nothing could be stored.
	LostEvents, LostStates uint64
}

// Status tells how the database does.
func (db *DB) Status() Status {
	db.mu.Lock()
	defer db.mu.Unlock()
	s := db.status
	s.Rates = slices.Clone(s.Rates)
	for _, list := range db.mailbox {
		s.Waiting += len(list)
	}
	return s
}

// report changes the status.
func (db *DB) report(f func(*Status)) {
	db.mu.Lock()
	defer db.mu.Unlock()
	f(&db.status)
}

// succeeded and failed tell the status how storing went.
func (db *DB) succeeded() {
	now := db.o.Now()
	db.report(func(s *Status) { s.Err, s.Failing, s.Written = nil, time.Time{}, now })
}

func (db *DB) failed(err error) {
	now := db.o.Now()
	db.report(func(s *Status) {
		s.Failures++
		if s.Err == nil {
			s.Failing = now
		}
		s.Err = err
	})
}

// measure finds out how large the files are.
func (db *DB) measure() {
	var bytes int64
	for _, end := range []string{"", "-wal"} {
		if info, err := os.Stat(db.path + end); err == nil {
			bytes += info.Size()
		}
	}
	db.report(func(s *Status) { s.Bytes = bytes })
}
