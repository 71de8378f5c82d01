package jetstream

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/ibscope/ibscope/internal/service/nats"
)

// Client asks JetStream. Its methods may be called from any goroutine.
type Client struct{ nats *nats.Client }

// New makes a Client of a client of NATS, which stays the caller's to close.
func New(of *nats.Client) *Client { return &Client{of} }

const apiPrefix = "$JS.API."

// call asks the interface of JetStream. The answer has an error in it, or what is
// decoded into answer.
func (c *Client) call(ctx context.Context, subject string, question, answer any) error {
	var text []byte
	if question != nil {
		var err error
		if text, err = json.Marshal(question); err != nil {
			return err
		}
	}
	m, err := c.nats.Request(ctx, &nats.Message{Subject: apiPrefix + subject, Data: text})
	if err != nil {
		return err
	}
	return decode(m.Data, answer)
}

// decode reads an answer.
func decode(text []byte, answer any) error {
	var refusal struct {
		Error *APIError `json:"error"`
	}
	if err := json.Unmarshal(text, &refusal); err != nil {
		return fmt.Errorf("%w: %w", ErrBadAnswer, err)
	}
	if refusal.Error != nil {
		return refusal.Error
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return fmt.Errorf("%w: %w", ErrBadAnswer, err)
	}
	return nil
}

// wrap makes an *Error of an error, if there is one.
func wrap(op, what string, err error) error {
	if err == nil {
		return nil
	}
	return &Error{op, what, err}
}
