package nldev

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/mdlayher/netlink"
)

// Client is a connection to the kernel. Its methods may be called by several
// goroutines; they wait for each other. When the context of a call ends before
// the kernel has answered, the connection is closed, for the answer would be
// taken for that of the next call.
type Client struct {
	mu   sync.Mutex
	conn *netlink.Conn
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
	var c netlink.Config
	if cfg != nil && cfg.NetNS != nil {
		c.NetNS = int(cfg.NetNS.Fd())
	}
	conn, err := netlink.Dial(family, &c)
	if err != nil {
		return nil, failed("connect", err)
	}
	return New(conn), nil
}

// New makes a client of a connection, which it then owns. Tests make theirs with
// the package nltest of mdlayher/netlink.
func New(conn *netlink.Conn) *Client { return &Client{conn: conn} }

// Close closes the connection.
func (c *Client) Close() error { return c.conn.Close() }

// past is a deadline that has gone by.
var past = time.Unix(1, 0)

// ask sends a request and gives the bodies of the answers. Their type is not
// always that of the request: the kernel answers "port get" with "get".
func (c *Client) ask(ctx context.Context, cmd command, flags netlink.HeaderFlags, attributes func(*netlink.AttributeEncoder)) ([][]byte, error) {
	encoder := netlink.NewAttributeEncoder()
	attributes(encoder)
	data, err := encoder.Encode()
	if err != nil {
		return nil, err
	}
	request := netlink.Message{
		Header: netlink.Header{Type: cmd.messageType(), Flags: netlink.Request | flags},
		Data:   data,
	}
	replies, err := c.execute(ctx, request)
	if err != nil {
		return nil, err
	}
	var bodies [][]byte
	for _, m := range replies {
		if m.Header.Type>>clientShift == client {
			bodies = append(bodies, m.Data)
		}
	}
	return bodies, nil
}

// execute exchanges one request for its replies.
func (c *Client) execute(ctx context.Context, request netlink.Message) ([]netlink.Message, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(interrupted)
		c.conn.SetDeadline(past)
	})
	replies, err := c.conn.Execute(request)
	if !stop() {
		<-interrupted
		c.conn.Close()
		if err != nil {
			return nil, ctx.Err()
		}
	}
	return replies, err
}
