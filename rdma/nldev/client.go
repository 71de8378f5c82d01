package nldev

import (
	"context"
	"os"
	"sync"
	"time"
)

// Client is a connection to the kernel. Its methods may be called by several
// goroutines; they wait for each other. When the context of a call ends before
// the kernel has answered, the connection is closed, for the answer would be
// taken for that of the next call.
type Client struct {
	mu   sync.Mutex
	conn Conn
}

// Config says where to connect to; nil or zero is this process's own network
// namespace.
type Config struct {
	// NetNS is an open file of another network namespace (/run/netns/blue,
	// /proc/42/ns/net). Entering it needs CAP_SYS_ADMIN.
	NetNS *os.File
}

// Dial connects to the kernel. The error wraps unix.EPROTONOSUPPORT when the
// kernel has no RDMA, or not yet loaded its module.
func Dial(cfg *Config) (*Client, error) {
	if cfg == nil {
		cfg = &Config{}
	}
	conn, err := dial(cfg.NetNS, family)
	if err != nil {
		return nil, failed("connect", err)
	}
	return New(conn), nil
}

// Conn exchanges netlink messages with the kernel, or with what stands in for it.
type Conn interface {
	// Exchange sends a request and gives the messages of the answer, without those
	// that only frame it. An error that the kernel answers with is a unix.Errno.
	Exchange(request Message) ([]Message, error)
	// SetDeadline ends an Exchange at that time.
	SetDeadline(t time.Time) error
	Close() error
}

// Message is a netlink message: the fields of its header that matter, and what follows.
type Message struct {
	Type, Flags uint16
	Body        []byte
}

// New makes a client of a connection, which it then owns.
func New(conn Conn) *Client { return &Client{conn: conn} }

// Close closes the connection.
func (c *Client) Close() error { return c.conn.Close() }

// past is a deadline that has gone by.
var past = time.Unix(1, 0)

// ask sends a request and gives the bodies of the answers. Their type is not
// always that of the request: the kernel answers "port get" with "get".
func (c *Client) ask(ctx context.Context, cmd command, flags uint16, attributes func(*encoder)) ([][]byte, error) {
	var e encoder
	attributes(&e)
	replies, err := c.execute(ctx, Message{cmd.messageType(), flagRequest | flags, e.b})
	if err != nil {
		return nil, err
	}
	var bodies [][]byte
	for _, m := range replies {
		if m.Type>>clientShift == client {
			bodies = append(bodies, m.Body)
		}
	}
	return bodies, nil
}

// execute exchanges one request for its replies.
func (c *Client) execute(ctx context.Context, request Message) ([]Message, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(interrupted)
		_ = c.conn.SetDeadline(past) // a closed connection has ended already
	})
	replies, err := c.conn.Exchange(request)
	if !stop() {
		<-interrupted
		c.conn.Close()
		if err != nil {
			return nil, ctx.Err()
		}
	}
	return replies, err
}
