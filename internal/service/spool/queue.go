package spool

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
)

// Queue is a list of events on disk: files of lines, of which the first ones are
// deleted when they are done with, or when there are too many. A line is written at
// once, so that after a crash all lines but the last are whole, and that one is cut off.
// It is safe for concurrent use, by one process.
type Queue struct {
	dir string
	max int64
	sem *os.File // is locked, so that there is one process only

	mu       sync.Mutex
	segments []*segment
	last     *os.File // the last segment, to write
	done     Place
	lastID   uint64 // of the last event that was put in
	dropped  uint64
	changed  chan struct{}
}

// segment is a file of the queue.
type segment struct {
	number int64
	size   int64
	lines  uint64
}

// Place is up to where events are done with, for Finish.
type Place struct {
	Segment int64  `json:"segment"`
	Offset  int64  `json:"offset"`
	Lines   uint64 `json:"lines"` // of that segment, before Offset
	ID      uint64 `json:"id"`    // of the last event that was put in, or passed over
}

// Bounds.
const (
	MinBytes = 1 << 16 // of a queue
	MaxLine  = 1 << 20 // of a line, with its end

	parts = 8 // of one size that a queue is divided into, at most
)

// placeFile has the place up to which events are done with.
const placeFile = "position.json"

// Open opens the queue in a directory, which it makes. Max is its bound in bytes, at
// least MinBytes. A queue that another process has open wraps unix.EWOULDBLOCK.
func Open(dir string, size int64) (*Queue, error) {
	q := &Queue{dir: dir, max: max(size, MinBytes), changed: make(chan struct{}, 1)}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	var err error
	if q.sem, err = os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(q.sem.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		q.sem.Close()
		return nil, fmt.Errorf("%s is in use by another process: %w", dir, err)
	}
	if err := q.load(); err != nil {
		q.Close()
		return nil, err
	}
	return q, nil
}

// Close closes the files. What is in them stays.
func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.last != nil {
		_ = q.save() // else what was passed over is looked at again
		q.last.Close()
	}
	q.sem.Close()
}

// load finds out what is in the queue.
func (q *Queue) load() error {
	text, err := os.ReadFile(filepath.Join(q.dir, placeFile))
	if err == nil {
		err = json.Unmarshal(text, &q.done)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	q.lastID = q.done.ID
	names, err := filepath.Glob(filepath.Join(q.dir, "*.ndjson"))
	if err != nil {
		return err
	}
	for _, name := range names {
		var n int64
		if _, err := fmt.Sscanf(filepath.Base(name), "%d.ndjson", &n); err != nil {
			continue
		}
		if n < q.done.Segment {
			_ = os.Remove(name) // it is tried again the next time
			continue
		}
		s := &segment{number: n}
		if err := q.scan(s); err != nil {
			return err
		}
		q.segments = append(q.segments, s)
	}
	slices.SortFunc(q.segments, func(a, b *segment) int { return cmp.Compare(a.number, b.number) })
	if len(q.segments) > 0 && (q.segments[0].number != q.done.Segment || q.segments[0].size < q.done.Offset) {
		q.done = Place{Segment: q.segments[0].number, ID: q.done.ID}
	}
	return q.openLast()
}

func (q *Queue) path(n int64) string { return filepath.Join(q.dir, fmt.Sprintf("%012d.ndjson", n)) }

// scan counts the whole lines of a segment, and cuts off what is behind them.
func (q *Queue) scan(s *segment) error {
	f, err := os.OpenFile(q.path(s.number), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewReaderSize(f, MaxLine)
	for {
		line, err := lines.ReadSlice('\n')
		if err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, bufio.ErrBufferFull) {
				return f.Truncate(s.size)
			}
			return err
		}
		var e struct {
			ID uint64 `json:"id"`
		}
		if json.Unmarshal(line, &e) != nil {
			return f.Truncate(s.size) // not written by us, or not to its end
		}
		s.size += int64(len(line))
		s.lines++
		q.lastID = max(q.lastID, e.ID)
	}
}

// openLast opens the last segment for writing, or begins one.
func (q *Queue) openLast() error {
	if len(q.segments) == 0 {
		q.segments = append(q.segments, &segment{number: max(1, q.done.Segment+1)})
		q.done = Place{Segment: q.segments[0].number, ID: q.done.ID}
	}
	f, err := os.OpenFile(q.path(q.segments[len(q.segments)-1].number), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	q.last = f
	return nil
}
