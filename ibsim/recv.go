package ibsim

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/ibscope/ibscope/mad"
)

// Recv waits for the next packet: an answer, a request that comes back
// undelivered, or a packet of another client.
//
// An answer has the transaction ID with which the request was sent, all 64
// bits; the upper 16 are 0 if the answer comes so late that the request is
// forgotten (more than a second, and others were waiting). A packet that is no
// answer comes as it is: its transaction ID tells the simulator whom the
// response is for.
//
// The error is a *mad.SendError beside a request that was not delivered, with
// from being the address it was sent to. Any other is an *Error, and the
// connection is dead: os.ErrClosed after Close, ECONNREFUSED when the simulator
// has ended, ErrProtocol for a datagram that no ibsim sends. That a simulator
// on the same machine has ended shows only at the next Send.
func (c *Conn) Recv(p *mad.Packet) (from mad.Addr, err error) {
	for {
		n, err := readDatagram(c.s.data, c.in[:])
		switch {
		case err == nil && n == datagramSize:
			return c.accept((*datagram)(c.in[:n]), p)
		case err == nil:
			err = fmt.Errorf("%w: datagram of %d bytes", ErrProtocol, n)
		case errors.Is(err, os.ErrDeadlineExceeded):
			if err := c.onWake(); err != nil {
				return mad.Addr{}, err
			}
			continue
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		return mad.Addr{}, c.die("receive", err)
	}
}

// onWake is called when the read deadline has passed: something waits to be
// sent, or the connection is dead. Then the deadline stays, for the next Recv.
func (c *Conn) onWake() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return c.err
	}
	c.wakeAt = time.Time{}
	_ = c.s.data.SetReadDeadline(c.wakeAt)
	return c.pump()
}

// accept turns a datagram into what the caller gets, and sends what has waited
// for its place.
func (c *Conn) accept(d *datagram, p *mad.Packet) (mad.Addr, error) {
	*p = *d.packet()
	if n := d.length(); n < mad.Size {
		clear(p[n:])
	}
	status := d.status()

	c.mu.Lock()
	defer c.mu.Unlock()
	if p.TID()>>tidBits == uint64(c.slot) && (status != 0 || p.IsResponse()) {
		req, known := c.window.take(p.TID())
		restore(p, req, known && status != 0)
	}
	if c.err == nil {
		_ = c.pump() // if it fails, the next Recv says so
	}
	if status != 0 {
		return mad.Addr{LID: d.dlid(), QP: d.dqp()}, &mad.SendError{Err: syscall.Errno(status)}
	}
	return mad.Addr{LID: d.slid(), QP: d.sqp()}, nil
}

// restore undoes what the simulator changed in a packet. One that was lost on
// the way back has been made a response, which must look like the request again.
func restore(p *mad.Packet, req request, returned bool) {
	p.SetTID(req.tid&^uint64(tidMask) | p.TID()&tidMask)
	if !returned || p.Method() == req.method {
		return
	}
	p.SetMethod(req.method)
	p.SetStatus(0)
	if p.Class() == mad.ClassSubnDirected {
		p.SetReturning(false)
	}
}
