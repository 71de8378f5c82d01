package ibsim

import (
	"errors"
	"syscall"
	"time"

	"github.com/ibscope/ibscope/mad"
)

// retryAfter is when to try again after the kernel had no room for a datagram.
const retryAfter = 10 * time.Millisecond

// maxHops is the longest directed route; ibsim writes beyond its arrays if a
// packet claims more.
const maxHops = 63

// Send hands a packet over, or queues it behind others; it never waits. The
// timeout is not used: the simulator answers at once or not at all.
//
// The error is an *Error; ENOBUFS means that 16384 packets wait already, and
// EINVAL that a directed route has more than 63 hops. Both concern this packet
// only; after any other error the connection is dead.
func (c *Conn) Send(p *mad.Packet, to mad.Addr, _ time.Duration) error {
	if p.Class() == mad.ClassSubnDirected && p.HopCount() > maxHops {
		return c.error("send", syscall.EINVAL, "a directed route has at most 63 hops")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return c.err
	}
	d := c.queue.push()
	if d == nil {
		return c.error("send", syscall.ENOBUFS, "too many packets wait to be sent")
	}
	d.encode(p, to)
	return c.pump()
}

// pump sends what waits, as far as the window and the kernel allow. If
// something remains, it sees to it that Recv calls it again even if no answer
// comes. The lock must be held.
func (c *Conn) pump() error {
	for c.queue.n > 0 {
		now := time.Now()
		d := c.queue.front()
		p := d.packet()
		counts := !p.IsResponse() // the simulator answers requests only
		if counts && !c.window.room(now) {
			c.wake(c.window.nextRoom())
			return nil
		}
		err := c.write(d)
		if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.ENOBUFS) {
			c.wake(now.Add(retryAfter))
			return nil
		}
		if err != nil {
			return c.die("send", err)
		}
		if counts {
			c.window.add(p, now)
		}
		c.queue.pop()
	}
	return nil
}

// write puts one datagram into the socket, without waiting and without
// allocating.
func (c *Conn) write(d *datagram) error {
	c.sending = d
	defer func() { c.sending = nil }()
	if err := c.s.raw.Write(c.sendOne); err != nil {
		return err
	}
	return c.sendErr
}

// wake makes Recv call pump at the given time, unless it does so earlier
// anyway: setting a deadline costs more than an idle wake-up per second.
func (c *Conn) wake(at time.Time) {
	if c.wakeAt.IsZero() || at.Before(c.wakeAt) {
		c.wakeAt = at
		_ = c.s.data.SetReadDeadline(at)
	}
}
