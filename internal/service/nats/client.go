package nats

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

// Client asks servers. Its methods may be called from any goroutine.
type Client struct {
	opts    Options
	servers pool // of run, and of the reader that it waits for
	inbox   string
	end     context.CancelFunc
	done    chan struct{}

	mu      sync.Mutex
	link    *link         // nil while there is none
	isEnd   bool          // after Close
	changed chan struct{} // is closed when link or isEnd is another one
	last    uint64
	asked   map[string]*question // by the subject of the answer
}

// Open makes a Client, which connects at once, and again for as long as it is open. It
// does not wait for that. The error is an *Error: about a URL or credentials. Close must
// be called at the end.
func Open(o *Options) (*Client, error) {
	opts := o.withDefaults()
	list, err := parseServers(opts.URL)
	if err != nil {
		return nil, err
	}
	if opts.Credentials != "" {
		if err := CheckCredentials(opts.Credentials); err != nil {
			return nil, err
		}
	}
	ctx, end := context.WithCancel(context.Background())
	c := &Client{
		opts: opts, servers: pool{list: list, given: len(list)}, inbox: newInbox(),
		end: end, done: make(chan struct{}), changed: make(chan struct{}), asked: map[string]*question{},
	}
	go func() {
		defer close(c.done)
		c.run(ctx)
	}()
	return c, nil
}

// Close ends the connection, and all requests. It waits for what runs.
func (c *Client) Close() {
	c.mu.Lock()
	if !c.isEnd {
		c.isEnd = true
		c.change()
	}
	c.mu.Unlock()
	c.end()
	<-c.done
}

// IsConnected reports whether there is a server now.
func (c *Client) IsConnected() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.link != nil
}

// Wait waits until there is a server. The error is ErrClosed, or that of the context.
func (c *Client) Wait(ctx context.Context) error {
	for {
		c.mu.Lock()
		isUp, isEnd, changed := c.link != nil, c.isEnd, c.changed
		c.mu.Unlock()
		switch {
		case isEnd:
			return &Error{Op: "connect", Err: ErrClosed}
		case isUp:
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// change wakes those who wait. The lock is held.
func (c *Client) change() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// run connects to one server after another, until the context ends.
func (c *Client) run(ctx context.Context) {
	failed := map[string]string{} // what was told, by server
	for ctx.Err() == nil {
		s, isLast := c.servers.turn()
		l, err := c.connect(ctx, &s)
		if err == nil {
			clear(failed)
			c.servers.learn(s, l.info.ConnectURLs)
			err = c.serve(ctx, l)
			if ctx.Err() != nil {
				return
			}
			c.opts.Down(&Error{"connect", s.address, err})
		} else if ctx.Err() == nil && failed[s.address] != err.Error() {
			failed[s.address] = err.Error()
			c.opts.Failed(&Error{"connect", s.address, err})
		}
		if isLast {
			c.pause(ctx)
		}
	}
}

// serve has requests go over a link until it ends, and says why it did.
func (c *Client) serve(ctx context.Context, l *link) error {
	c.mu.Lock()
	c.link = l
	c.change()
	c.mu.Unlock()
	c.opts.Up(l.server.address)
	err := l.run(ctx)
	c.mu.Lock()
	c.link = nil
	c.change()
	cause := ErrDisconnected
	if c.isEnd {
		cause = ErrClosed
	}
	for key := range c.asked {
		c.answer(key, nil, cause)
	}
	c.mu.Unlock()
	close(l.down)
	return err
}

// pause waits before servers are tried again, a little longer or shorter each time, so
// that not all clients come at the same moment.
func (c *Client) pause(ctx context.Context) {
	timer := time.NewTimer(c.opts.RetryWait/2 + rand.N(c.opts.RetryWait))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
