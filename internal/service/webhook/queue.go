package webhook

import (
	"bufio"
	"bytes"
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

// queue is a list of events on disk: files of lines, of which the first ones are
// deleted when they are done with, or when there are too many. A line is written at
// once, so that after a crash all lines but the last are whole, and that one is cut off.
type queue struct {
	dir string
	max int64
	sem *os.File // is locked, so that there is one process only

	mu       sync.Mutex
	segments []*segment
	last     *os.File // the last segment, to write
	done     place
	lastID   uint64 // of the last event that was put in
	dropped  uint64
	changed  chan struct{} // capacity 1
}

// segment is a file of the queue.
type segment struct {
	number int64
	size   int64
	lines  uint64
}

// place is up to where events are done with. It is a file, too.
type place struct {
	Segment int64  `json:"segment"`
	Offset  int64  `json:"offset"`
	Lines   uint64 `json:"lines"` // of that segment, before Offset
	ID      uint64 `json:"id"`    // of the last event that was put in, or passed over
}

const (
	segments     = 8 // at most, of one size
	minQueue     = 1 << 16
	maxLineBytes = 1 << 20
	placeFile    = "position.json"
)

// openQueue opens the queue in a directory, which it makes. Max is its bound in bytes.
func openQueue(dir string, max int64) (*queue, error) {
	q := &queue{dir: dir, max: max, changed: make(chan struct{}, 1)}
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
		q.close()
		return nil, err
	}
	return q, nil
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.last != nil {
		q.last.Close()
	}
	q.sem.Close()
}

// load finds out what is in the queue.
func (q *queue) load() error {
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
		q.done = place{Segment: q.segments[0].number, ID: q.done.ID}
	}
	return q.openLast()
}

func (q *queue) path(n int64) string { return filepath.Join(q.dir, fmt.Sprintf("%012d.ndjson", n)) }

// scan counts the whole lines of a segment, and cuts off what is behind them.
func (q *queue) scan(s *segment) error {
	f, err := os.OpenFile(q.path(s.number), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewReaderSize(f, maxLineBytes)
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
func (q *queue) openLast() error {
	if len(q.segments) == 0 {
		q.segments = append(q.segments, &segment{number: max(1, q.done.Segment+1)})
		q.done = place{Segment: q.segments[0].number, ID: q.done.ID}
	}
	f, err := os.OpenFile(q.path(q.segments[len(q.segments)-1].number), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	q.last = f
	return nil
}

// put puts lines into the queue, the last of which is event id. When it fails none is
// in it.
func (q *queue) put(lines []byte, count, id uint64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(lines) == 0 {
		q.lastID = id // passed over; known for good with the next place
		return nil
	}
	s := q.segments[len(q.segments)-1]
	if s.size > 0 && s.size+int64(len(lines)) > q.max/segments {
		if err := q.next(); err != nil {
			return err
		}
		s = q.segments[len(q.segments)-1]
	}
	_, err := q.last.Write(lines)
	if err == nil {
		err = q.last.Sync()
	}
	if err != nil {
		return errors.Join(err, q.last.Truncate(s.size))
	}
	s.size += int64(len(lines))
	s.lines += count
	q.lastID = id
	q.bound()
	select {
	case q.changed <- struct{}{}:
	default:
	}
	return nil
}

// next begins another segment.
func (q *queue) next() error {
	n := q.segments[len(q.segments)-1].number + 1
	f, err := os.OpenFile(q.path(n), os.O_CREATE|os.O_WRONLY|os.O_APPEND|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	q.last.Close()
	q.last = f
	q.segments = append(q.segments, &segment{number: n})
	return nil
}

// bound drops the oldest events when there are too many bytes.
func (q *queue) bound() {
	for len(q.segments) > 1 && q.bytes() > q.max {
		first := q.segments[0]
		lost := first.lines
		if q.done.Segment == first.number {
			lost -= q.done.Lines
		}
		q.dropped += lost
		q.segments = q.segments[1:]
		q.done = place{Segment: q.segments[0].number, ID: q.lastID}
		_ = q.save()
		_ = os.Remove(q.path(first.number))
	}
}

func (q *queue) bytes() (n int64) {
	for _, s := range q.segments {
		n += s.size
	}
	return n
}

// take gives the first lines, and the place behind them. There are none when it is the
// place before.
func (q *queue) take(count int, size int) ([][]byte, place, error) {
	q.mu.Lock()
	at, first := q.done, q.segments[0]
	for first.number == at.Segment && at.Offset >= first.size && len(q.segments) > 1 {
		q.segments = q.segments[1:]
		_ = os.Remove(q.path(first.number))
		first = q.segments[0]
		at = place{Segment: first.number}
		q.done = at
	}
	limit := first.size
	q.mu.Unlock()
	f, err := os.Open(q.path(at.Segment))
	if err != nil {
		return nil, at, err
	}
	defer f.Close()
	part := bufio.NewReaderSize(io.NewSectionReader(f, at.Offset, limit-at.Offset), maxLineBytes)
	var lines [][]byte
	for total := 0; len(lines) < count; {
		line, err := part.ReadSlice('\n')
		if err != nil {
			if errors.Is(err, io.EOF) {
				break
			}
			return nil, at, err
		}
		if total += len(line); total > size && len(lines) > 0 {
			break
		}
		at.Offset += int64(len(line))
		at.Lines++
		lines = append(lines, bytes.Clone(line[:len(line)-1]))
	}
	return lines, at, nil
}

// finish is done with what is before a place.
func (q *queue) finish(at place) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if at.Segment < q.done.Segment {
		return nil // it was dropped meanwhile
	}
	q.done = at
	return q.save()
}

// save writes the place, as a whole or not at all.
func (q *queue) save() error {
	q.done.ID = q.lastID
	text, err := json.Marshal(q.done)
	if err != nil {
		return err
	}
	name := filepath.Join(q.dir, placeFile)
	if err := os.WriteFile(name+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// waiting is how much is in the queue, and how much was dropped so far.
func (q *queue) waiting() (lines uint64, size int64, dropped uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, s := range q.segments {
		lines += s.lines
		size += s.size
	}
	return lines - q.done.Lines, size - q.done.Offset, q.dropped
}

// newest is the ID of the last event that was put in.
func (q *queue) newest() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.lastID
}
