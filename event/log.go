package event

import (
	"context"
	"sync"
)

// Log numbers events, keeps the last ones, and lets any number of readers follow at
// their own pace. It is safe for concurrent use; a slow reader holds up nobody.
type Log struct {
	mu      sync.Mutex
	ring    []Event
	first   uint64        // the ID of the first event of all
	next    uint64        // the ID of the next event
	kept    int           // events in the ring
	changed chan struct{} // closed at the next Add
}

// NewLog makes a log that keeps the last size events, at least one, and whose first
// event has the ID next, at least 1: more than the last one of an earlier life.
func NewLog(size int, next uint64) *Log {
	next = max(1, next)
	return &Log{ring: make([]Event, max(1, size)), first: next, next: next, changed: make(chan struct{})}
}

// Add numbers events, in the slice that it is given, keeps them, and wakes who waits.
// It gives them with their IDs.
func (l *Log) Add(events ...Event) []Event {
	if len(events) == 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	first := l.next
	for i := range events {
		events[i].ID = l.next
		events[i].Again = resolve(events[i].Again, first)
		events[i].Cause = resolve(events[i].Cause, first)
		l.ring[l.next%uint64(len(l.ring))] = events[i]
		l.next++
		l.kept = min(l.kept+1, len(l.ring))
	}
	close(l.changed)
	l.changed = make(chan struct{})
	return events
}

// resolve turns the index of an event in a batch into its ID.
func resolve(id, first uint64) uint64 {
	if id&inBatch != 0 {
		return first + id&^inBatch
	}
	return id
}

// Last is the ID of the last event, or one less than that of the first to come.
func (l *Log) Last() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.next - 1
}

// First is the ID that the first event of the log has or will have, kept or not.
func (l *Log) First() uint64 { return l.first }

// Since lists the events after one, the oldest first, and how many of these are not
// kept any more.
func (l *Log) Since(after uint64) (events []Event, missed uint64) {
	events, missed, _ = l.since(after)
	return events, missed
}

// Follow is Since, and gives a channel that is closed when there is another event.
func (l *Log) Follow(after uint64) (events []Event, missed uint64, changed <-chan struct{}) {
	return l.since(after)
}

// Wait is Since, and waits for an event if there is none. The error is the context's.
func (l *Log) Wait(ctx context.Context, after uint64) (events []Event, missed uint64, err error) {
	for {
		events, missed, changed := l.since(after)
		if len(events) > 0 || missed > 0 {
			return events, missed, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, 0, ctx.Err()
		}
	}
}

func (l *Log) since(after uint64) (events []Event, missed uint64, changed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first := l.next - uint64(l.kept)
	from := after + 1
	if from < first {
		missed = first - from
		from = first
	}
	for id := from; id < l.next; id++ {
		events = append(events, l.ring[id%uint64(len(l.ring))])
	}
	return events, missed, l.changed
}
