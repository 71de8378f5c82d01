package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/internal/service/nats"
	"github.com/ibscope/ibscope/internal/service/nats/jetstream"
	"github.com/ibscope/ibscope/internal/service/spool"
)

// The stream of events.
const (
	StreamName    = "IBSCOPE_EVENTS"
	subjectPrefix = "ibscope.events."

	streamAge    = 7 * 24 * time.Hour
	streamBytes  = 1 << 30
	streamWindow = 10 * time.Minute // within which the server knows messages again

	batch       = 100
	batchBytes  = 1 << 20
	publishWait = 10 * time.Second
)

// Waits between tries to publish.
const (
	firstWait = 250 * time.Millisecond
	lastWait  = 10 * time.Second
)

// CollectorHeader is the header of a message that names the collector.
const CollectorHeader = "Ibscope-Collector"

// publish publishes what is in the queue, in order, until the context ends.
func (f *Fleet) publish(ctx context.Context) {
	wait, count := time.Duration(0), batch
	for ctx.Err() == nil {
		if f.conn.Wait(ctx) != nil {
			return
		}
		lines, next, err := f.queue.Take(count, batchBytes)
		if err == nil && len(lines) == 0 {
			select {
			case <-f.queue.Changed():
			case <-ctx.Done():
			}
			continue
		}
		if err == nil {
			err = f.send(ctx, lines)
		}
		if err == nil {
			f.finish(next, len(lines))
			wait, count = 0, batch
		}
		switch {
		case err == nil, ctx.Err() != nil:
		case errors.Is(err, errPending):
			count = 1 // what is before it is not sent again and again
			spool.Pause(ctx, pendingWait)
		default:
			wait = min(max(2*wait, firstWait), lastWait)
			f.opts.Logger.Warn("events cannot be published; they wait", "err", err)
			spool.Pause(ctx, wait)
		}
	}
}

// finish is done with events up to a place in the queue. If that cannot be noted on disk
// they are published again after a restart, and the server knows them.
func (f *Fleet) finish(at spool.Place, events int) {
	f.counts.publish(uint64(events))
	if err := f.queue.Finish(at); err != nil {
		f.opts.Logger.Warn("what was published is not noted on disk", "err", err)
	}
}

// send publishes events, and waits until the server has them.
func (f *Fleet) send(ctx context.Context, lines [][]byte) error {
	ctx, cancel := context.WithTimeout(ctx, publishWait)
	defer cancel()
	for _, line := range lines {
		err := f.sendOne(ctx, line)
		if errors.Is(err, nats.ErrTooLarge) || errors.Is(err, errBadLine) {
			f.opts.Logger.Error("an event in the queue is passed over", "err", err, "bytes", len(line))
			f.counts.lose(1)
			continue
		}
		if err != nil {
			return &Error{Op: "publish", Err: err}
		}
	}
	return nil
}

// errPending is why a duplicate waits: who has told the event first has not published
// it yet.
var errPending = errors.New("another collector is about to publish it")

// pendingWait is how long to wait before it is looked at again, or for the server.
const pendingWait = 200 * time.Millisecond

// sendOne publishes an event. A duplicate waits until the original is there, or takes its
// place if that does not come.
func (f *Fleet) sendOne(ctx context.Context, line []byte) error {
	var e event.Event
	if err := json.Unmarshal(line, &e); err != nil {
		return fmt.Errorf("%w: %w", errBadLine, err)
	}
	if !e.Duplicate { // it may not have been marked because the server was not there
		twice, err := f.claims.mark(ctx, &e)
		if err != nil {
			return err
		}
		if e.Duplicate = twice; twice {
			f.counts.duplicate()
		}
	}
	if e.Duplicate {
		if err := f.await(ctx, &e); err != nil {
			return err
		}
	}
	m, err := f.message(&e)
	if err != nil {
		return err
	}
	_, err = f.js.Publish(ctx, m)
	if errors.Is(err, nats.ErrNoResponders) {
		if err = f.makeStream(ctx); err == nil {
			_, err = f.js.Publish(ctx, m)
		}
	}
	if err == nil && !e.Duplicate {
		err = f.claims.confirm(ctx, &e)
	}
	return err
}

// await waits for the original of a duplicate. If it has not come within two intervals
// who has told it is dead, and what it has told with it: the event is told here again,
// as an original.
func (f *Fleet) await(ctx context.Context, e *event.Event) error {
	pending, err := f.claims.isPending(ctx, e)
	if err != nil || !pending {
		return err
	}
	if time.Since(e.Time) < 2*f.opts.Interval {
		return errPending
	}
	taken, err := f.claims.takeOver(ctx, e)
	if err != nil || !taken {
		return err
	}
	f.opts.Logger.Info("an event is told again: who told it first has not published it", "id", e.ID, "kind", e.Kind)
	original := *e
	original.Duplicate = false
	f.log.Add(original)
	return nil
}

// errBadLine is why a line of the queue is no event.
var errBadLine = errors.New("the line is no event")

// message makes the message of an event. Its ID is the same each time that this
// collector sends it, so that the server takes it once.
func (f *Fleet) message(e *event.Event) (*nats.Message, error) {
	text, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errBadLine, err)
	}
	return &nats.Message{
		Subject: subjectPrefix + token(e.Fabric) + "." + token(string(e.Kind)),
		Header: nats.Header{
			jetstream.IDHeader: fmt.Sprintf("%s-%s-%d-%d", keyOf(e), f.opts.Name, e.ID, e.Time.UnixNano()),
			CollectorHeader:    f.opts.Name,
		},
		Data: text,
	}, nil
}

// token is a word that a subject may have.
func token(s string) string {
	if s == "" {
		return "_"
	}
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r == '.' || r == '*' || r == '>' || r > '~' {
			return '_'
		}
		return r
	}, s)
}

// makeStream makes the stream, if nobody has.
func (f *Fleet) makeStream(ctx context.Context) error {
	err := f.js.CreateStream(ctx, &jetstream.StreamConfig{
		Name: StreamName, Description: "ibscope: what happened in fabrics", Subjects: []string{subjectPrefix + ">"},
		MaxAge: streamAge, MaxBytes: streamBytes, Duplicates: streamWindow, Replicas: f.opts.Replicas,
	})
	if errors.Is(err, jetstream.ErrStreamExists) {
		return nil
	}
	return err
}
