package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/ibscope/ibscope/event"
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
	firstWait = time.Second
	lastWait  = time.Minute
)

// CollectorHeader is the header of a message that names the collector.
const CollectorHeader = "Ibscope-Collector"

// publish publishes what is in the queue, in order, until the context ends.
func (f *Fleet) publish(ctx context.Context) {
	var wait time.Duration
	for ctx.Err() == nil {
		lines, next, err := f.queue.Take(batch, batchBytes)
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
			err = f.queue.Finish(next)
			f.counts.publish(uint64(len(lines)))
			wait = 0
		}
		if err != nil && ctx.Err() == nil {
			wait = min(max(2*wait, firstWait), lastWait)
			f.opts.Logger.Warn("events cannot be published; they wait", "err", err)
			spool.Pause(ctx, wait)
		}
	}
}

// send publishes events, and waits until the server has them.
func (f *Fleet) send(ctx context.Context, lines [][]byte) error {
	ctx, cancel := context.WithTimeout(ctx, publishWait)
	defer cancel()
	for _, line := range lines {
		m, err := f.message(ctx, line)
		if errors.Is(err, errBadLine) {
			f.opts.Logger.Error("an event in the queue is passed over", "err", err)
			f.counts.lose(1)
			continue
		}
		if err != nil {
			return &Error{Op: "publish", Err: err}
		}
		_, err = f.js.PublishMsg(ctx, m)
		if errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, nats.ErrNoResponders) {
			if err = f.makeStream(ctx); err == nil {
				_, err = f.js.PublishMsg(ctx, m)
			}
		}
		if errors.Is(err, nats.ErrMaxPayload) {
			f.opts.Logger.Error("an event is more than the server takes", "bytes", len(line))
			f.counts.lose(1)
			continue
		}
		if err != nil {
			return &Error{Op: "publish", Err: err}
		}
	}
	return nil
}

// errBadLine is why a line of the queue is no event.
var errBadLine = errors.New("the line is no event")

// message makes the message of an event. Its ID is the same each time that this
// collector sends it, so that the server takes it once. What could not be marked because
// the server was not there is marked now.
func (f *Fleet) message(ctx context.Context, line []byte) (*nats.Msg, error) {
	var e event.Event
	if err := json.Unmarshal(line, &e); err != nil {
		return nil, fmt.Errorf("%w: %w", errBadLine, err)
	}
	if !e.Duplicate {
		twice, err := f.claims.mark(ctx, &e)
		if err != nil {
			return nil, err
		}
		if e.Duplicate = twice; twice {
			f.counts.duplicate()
			if line, err = json.Marshal(e); err != nil {
				return nil, fmt.Errorf("%w: %w", errBadLine, err)
			}
		}
	}
	m := nats.NewMsg(subjectPrefix + token(e.Fabric) + "." + token(string(e.Kind)))
	m.Data = line
	m.Header.Set(nats.MsgIdHdr, fmt.Sprintf("%s-%s-%d-%d", keyOf(&e), f.opts.Name, e.ID, e.Time.UnixNano()))
	m.Header.Set(CollectorHeader, f.opts.Name)
	return m, nil
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
	_, err := f.js.CreateStream(ctx, jetstream.StreamConfig{
		Name: StreamName, Description: "ibscope: what happened in fabrics", Subjects: []string{subjectPrefix + ">"},
		MaxAge: streamAge, MaxBytes: streamBytes, Duplicates: streamWindow, Replicas: f.opts.Replicas,
		Storage: jetstream.FileStorage,
	})
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		return nil
	}
	return err
}
