package spool

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/ibscope/ibscope/event"
)

// Follower fills a Queue from a log.
type Follower struct {
	Queue  *Queue
	Log    *event.Log
	Logger *slog.Logger

	// Wants, if set, reports whether an event is for the queue.
	Wants func(*event.Event) bool

	// Passed and Lost, if set, are told how many events were not wanted, and how many
	// were lost before they were in the queue.
	Passed, Lost func(events uint64)
}

// pause is how long to wait before a queue is tried again that cannot be written.
const pause = 5 * time.Second

// Run follows the log until the context ends: from the event behind the last one that an
// earlier life has put into the queue; without an earlier life, from now on. While the
// queue cannot be written events stay in the log.
func (f *Follower) Run(ctx context.Context) {
	after := f.Queue.Newest()
	if after == 0 || after > f.Log.Last() { // no earlier life, or not of this log
		after = f.Log.Last()
	}
	for {
		events, missed, err := f.Log.Wait(ctx, after)
		if err != nil {
			return
		}
		if missed > 0 {
			f.Logger.Warn("events were lost: the log went on while they could not be put into the queue", "events", missed)
			tell(f.Lost, missed)
			after += missed
		}
		if len(events) == 0 {
			continue
		}
		if err := f.put(events); err != nil {
			f.Logger.Error("the queue cannot be written; events wait in memory", "err", err)
			Pause(ctx, pause)
			continue
		}
		after = events[len(events)-1].ID
	}
}

func tell(to func(uint64), n uint64) {
	if to != nil && n > 0 {
		to(n)
	}
}

// put puts those of the events into the queue that are for it.
func (f *Follower) put(events []event.Event) error {
	var lines bytes.Buffer
	var count, passed, lost uint64
	for i := range events {
		if f.Wants != nil && !f.Wants(&events[i]) {
			passed++
			continue
		}
		text, err := json.Marshal(events[i])
		if err != nil || len(text) >= MaxLine {
			lost++
			f.Logger.Error("an event cannot be put into the queue", "id", events[i].ID, "err", err, "bytes", len(text))
			continue
		}
		lines.Write(text)
		lines.WriteByte('\n')
		count++
	}
	_, _, before := f.Queue.Waiting()
	if err := f.Queue.Put(lines.Bytes(), count, events[len(events)-1].ID); err != nil {
		return err
	}
	tell(f.Passed, passed)
	tell(f.Lost, lost)
	if _, _, now := f.Queue.Waiting(); now > before {
		f.Logger.Error("the queue is full; the oldest events are lost", "events", now-before)
	}
	return nil
}

// Pause waits; false if the context ended.
func Pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
