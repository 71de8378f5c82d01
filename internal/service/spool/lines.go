package spool

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Changed is sent to when something was put in; its capacity is one.
func (q *Queue) Changed() <-chan struct{} { return q.changed }

// Put puts lines into the queue, count of them, all that there was to put up to event
// id. When it fails none is in it.
func (q *Queue) Put(lines []byte, count, id uint64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(lines) == 0 {
		q.lastID = id // passed over; known for good with the next place
		return nil
	}
	s := q.segments[len(q.segments)-1]
	if s.size > 0 && s.size+int64(len(lines)) > q.max/parts {
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
func (q *Queue) next() error {
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
func (q *Queue) bound() {
	for len(q.segments) > 1 && q.bytes() > q.max {
		first := q.segments[0]
		lost := first.lines
		if q.done.Segment == first.number {
			lost -= q.done.Lines
		}
		q.dropped += lost
		q.segments = q.segments[1:]
		q.done = Place{Segment: q.segments[0].number, ID: q.lastID}
		_ = q.save()
		_ = os.Remove(q.path(first.number))
	}
}

func (q *Queue) bytes() (n int64) {
	for _, s := range q.segments {
		n += s.size
	}
	return n
}

// Take gives the first lines, at most count, and not many more bytes than size, without
// their ends, and the place behind them. They stay in the queue until Finish.
func (q *Queue) Take(count int, size int) ([][]byte, Place, error) {
	q.mu.Lock()
	at, first := q.done, q.segments[0]
	for first.number == at.Segment && at.Offset >= first.size && len(q.segments) > 1 {
		q.segments = q.segments[1:]
		_ = os.Remove(q.path(first.number))
		first = q.segments[0]
		at = Place{Segment: first.number}
		q.done = at
	}
	limit := first.size
	q.mu.Unlock()
	f, err := os.Open(q.path(at.Segment))
	if err != nil {
		return nil, at, err
	}
	defer f.Close()
	part := bufio.NewReaderSize(io.NewSectionReader(f, at.Offset, limit-at.Offset), MaxLine)
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

// Finish is done with what is before a place: it will not be given again.
func (q *Queue) Finish(at Place) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if at.Segment < q.done.Segment {
		return nil // it was dropped meanwhile
	}
	q.done = at
	return q.save()
}

// save writes the Place, as a whole or not at all.
func (q *Queue) save() error {
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

// Waiting is how much is in the queue, and how much was dropped so far.
func (q *Queue) Waiting() (lines uint64, size int64, dropped uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, s := range q.segments {
		lines += s.lines
		size += s.size
	}
	return lines - q.done.Lines, size - q.done.Offset, q.dropped
}

// Newest is the ID of the last event that was put in.
func (q *Queue) Newest() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.lastID
}
