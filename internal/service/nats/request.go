package nats

import (
	"context"
	"crypto/rand"
	"strconv"
)

// statusNoResponders is what a server answers where nobody listens.
const statusNoResponders = 503

// newInbox is what the subjects of all answers begin with, which nobody else can guess.
func newInbox() string { return "_INBOX." + rand.Text() + "." }

// question is a request that waits for its answer.
type question struct {
	subject string
	answer  chan answer // has room for one
}

type answer struct {
	message *Message
	err     error
}

// Pending is a request that was sent.
type Pending struct {
	client  *Client
	subject string
	key     string
	answer  <-chan answer
}

// Request sends a message, and gives the answer. The error is an *Error: ErrNotConnected
// at once when there is no server, ErrNoResponders, ErrPermission, ErrTooLarge,
// ErrDisconnected, ErrClosed, or that of the context.
func (c *Client) Request(ctx context.Context, m *Message) (*Message, error) {
	p, err := c.Send(ctx, m)
	if err != nil {
		return nil, err
	}
	return p.Wait(ctx)
}

// Send sends a message, whose answer is to be waited for. Messages go out in the order
// of calls. Wait must be called, or Forget. Errors are those of Request.
func (c *Client) Send(ctx context.Context, m *Message) (*Pending, error) {
	fail := func(err error) (*Pending, error) { return nil, &Error{"request", m.Subject, err} }
	c.mu.Lock()
	l := c.link
	if l == nil {
		isEnd := c.isEnd
		c.mu.Unlock()
		if isEnd {
			return fail(ErrClosed)
		}
		return fail(ErrNotConnected)
	}
	c.last++
	key := c.inbox + strconv.FormatUint(c.last, 36)
	q := &question{m.Subject, make(chan answer, 1)}
	c.asked[key] = q
	c.mu.Unlock()

	sent := *m
	sent.reply = key
	text, err := sent.encode(l.most.Load())
	if err == nil {
		select {
		case l.out <- text:
			return &Pending{c, m.Subject, key, q.answer}, nil
		case <-l.down:
			err = ErrNotConnected
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	c.forget(key)
	return fail(err)
}

// Wait gives the answer, once. Errors are those of Request.
func (p *Pending) Wait(ctx context.Context) (*Message, error) {
	var a answer
	select {
	case a = <-p.answer:
	case <-ctx.Done():
		p.client.forget(p.key)
		a.err = ctx.Err()
	}
	if a.err == nil && a.message.Status == statusNoResponders && len(a.message.Data) == 0 {
		a.err = ErrNoResponders
	}
	if a.err != nil {
		return nil, &Error{"request", p.subject, a.err}
	}
	return a.message, nil
}

// Forget is for who does not want the answer any more.
func (p *Pending) Forget() { p.client.forget(p.key) }

func (c *Client) forget(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.asked, key)
}

// answer answers who has asked. The lock is held.
func (c *Client) answer(key string, m *Message, err error) {
	if q := c.asked[key]; q != nil {
		delete(c.asked, key)
		q.answer <- answer{m, err}
	}
}

// deliver gives a message to who has asked for it; a late one to nobody.
func (c *Client) deliver(m *Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answer(m.Subject, m, nil)
}

// refuse has requests fail to a subject that the server refuses. What nobody waits for is
// told.
func (c *Client) refuse(server, subject string, err error) {
	c.mu.Lock()
	found := false
	for key, q := range c.asked {
		if q.subject == subject {
			found = true
			c.answer(key, nil, err)
		}
	}
	c.mu.Unlock()
	if !found {
		c.opts.Failed(&Error{"request", server, err})
	}
}
