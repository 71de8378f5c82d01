package jetstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ibscope/ibscope/internal/service/nats"
)

// Headers that the server heeds.
const (
	// IDHeader is what a message is known by: another one with the same within the
	// window of the stream is not stored.
	IDHeader = "Nats-Msg-Id"

	lastOfSubjectHeader = "Nats-Expected-Last-Subject-Sequence"
	rollupHeader        = "Nats-Rollup"
	rollupSubject       = "sub"
)

// Ack is that a message is stored.
type Ack struct {
	Stream    string `json:"stream"`
	Sequence  uint64 `json:"seq"`
	Duplicate bool   `json:"duplicate"` // it was stored before, under the same ID
}

// How often a message is sent again to which nobody answers, and after which wait: a
// stream is without a leader for a moment when its server ends.
const (
	publishAgain = 2
	publishWait  = 250 * time.Millisecond
)

// Publish stores a message in the stream that takes its subject. The error is an *Error:
// nats.ErrNoResponders when there is no such stream, ErrWrongRevision, nats.ErrTooLarge.
func (c *Client) Publish(ctx context.Context, m *nats.Message) (*Ack, error) {
	a, err := c.publish(ctx, m)
	return a, wrap("publish", m.Subject, err)
}

func (c *Client) publish(ctx context.Context, m *nats.Message) (*Ack, error) {
	answer, err := c.nats.Request(ctx, m)
	for range publishAgain {
		if !errors.Is(err, nats.ErrNoResponders) {
			break
		}
		timer := time.NewTimer(publishWait)
		select {
		case <-timer.C:
			answer, err = c.nats.Request(ctx, m)
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		}
	}
	if err != nil {
		return nil, err
	}
	return acked(answer)
}

// acked reads the answer to a message that is to be stored.
func acked(answer *nats.Message) (*Ack, error) {
	a := &Ack{}
	if err := decode(answer.Data, a); err != nil {
		return nil, err
	}
	if a.Stream == "" {
		return nil, fmt.Errorf("%w: no stream", ErrBadAnswer)
	}
	return a, nil
}
