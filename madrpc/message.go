package madrpc

import (
	"context"

	"github.com/ibscope/ibscope/mad"
)

// Send sends a packet that nobody replies to, such as a Trap, once, and waits
// until the transport has taken it. The client writes the transaction ID and, in
// an SMP, the class, the route and a missing M_Key.
//
// The errors are those of Client.Do, but for a missing reply. Where the packet
// goes, and whether it arrives, nobody knows.
func (c *Client) Send(ctx context.Context, to mad.Target, p mad.Packet) error {
	r := Request{Target: to, Packet: p}
	if err := ctx.Err(); err != nil {
		return newError(&r, err)
	}
	sent, err := c.post(&r)
	if err == nil {
		select {
		case err = <-sent:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if err != nil {
		return newError(&r, err)
	}
	return nil
}

// post puts a message into the line of packets without a request; sent tells
// what became of it.
func (c *Client) post(r *Request) (sent <-chan error, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return nil, c.err
	}
	if err := c.address(r); err != nil {
		return nil, err
	}
	r.Packet.SetTID(uint64(c.tids.unused()))
	done := make(chan error, 1)
	c.controls = append(c.controls, control{p: r.Packet, to: r.addr, sent: done})
	c.kick()
	return done, nil
}
