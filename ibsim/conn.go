package ibsim

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/ibscope/ibscope/mad/smp"
)

// A Conn is a client that is attached to a simulator, a transport in the sense
// of package madrpc. Send and Recv may be called at once, each by one goroutine
// at a time; Close at any time.
//
// A Conn has no goroutine. Send hands at most 64 requests to the simulator and
// keeps up to 16384 more in memory (4.5 MiB); each answer that Recv reads lets
// the next one go. So neither side can fill the other's socket, and the
// simulator, which stops serving everybody when an answer does not fit, never
// waits for a client that does not call Recv.
type Conn struct {
	s    *sockets
	addr string
	log  Logger

	slot     int
	nodeID   string
	nodeInfo smp.NodeInfo
	portInfo smp.PortInfo
	vendor   Vendor

	in [datagramSize + 1]byte // of Recv; one more than a datagram, to see a longer one

	mu      sync.Mutex
	closed  bool
	err     error // why the connection is dead
	queue   queue
	window  window
	wakeAt  time.Time // read deadline that is set for the sake of the queue, or zero
	sending *datagram // argument and result of sendOne, which is made once
	sendErr error
	sendOne func(fd uintptr) bool
}

func newConn(s *sockets, o *Options, h hello) *Conn {
	c := &Conn{s: s, addr: o.server(), log: o.logger(), slot: int(h.id), nodeID: h.node}
	c.window.reqs = make([]request, 0, maxInFlight)
	c.sendOne = func(fd uintptr) bool {
		c.sendErr = trySend(fd, c.sending)
		return true // whatever happened, do not wait
	}
	return c
}

// Client is the slot that the simulator gave to this client: 0 to 9 by ibsim, 0
// to 65535 by a Server.
func (c *Conn) Client() int { return c.slot }

// NodeID is the id of the attached node in the simulator's topology, cut to 31
// bytes. It is text from outside.
func (c *Conn) NodeID() string { return c.nodeID }

// NodeInfo is that of the attached port when Dial returned.
func (c *Conn) NodeInfo() smp.NodeInfo { return c.nodeInfo }

// PortInfo is that of the attached port when Dial returned. A subnet manager
// may have changed it since.
func (c *Conn) PortInfo() smp.PortInfo { return c.portInfo }

// Vendor is what the simulator tells about the attached node as a device.
func (c *Conn) Vendor() Vendor { return c.vendor }

// Close gives the slot back and ends a waiting Recv. Requests that have not
// been answered are forgotten. It waits a tenth of a second at most for the
// simulator to confirm.
func (c *Conn) Close() error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil
	}
	c.closed = true
	gone := c.err != nil
	c.err = c.error("use", os.ErrClosed, "")
	c.queue = queue{}
	_ = c.s.data.SetReadDeadline(past)
	c.mu.Unlock()

	if !gone {
		if err := c.s.leave(uint32(c.slot)); err != nil {
			c.log.Debug("ibsim did not confirm the end", "server", c.addr, "error", err)
		}
	}
	c.s.close()
	return nil
}

// die notes that the connection is of no more use, and wakes Recv to tell so.
// The first reason stays. The lock must be held.
func (c *Conn) die(op string, err error) error {
	if c.err == nil {
		hint := ""
		switch {
		case errors.Is(err, syscall.ECONNREFUSED):
			hint = "the simulator has ended"
		case errors.Is(err, syscall.EPERM), errors.Is(err, syscall.ECONNRESET):
			hint = "the simulator gave this client's slot to another"
		}
		var errno syscall.Errno
		if errors.As(err, &errno) {
			err = errno // without the words of package os about the sockets
		}
		c.err = c.error(op, err, hint)
		c.queue = queue{}
		_ = c.s.data.SetReadDeadline(past)
	}
	return c.err
}

func (c *Conn) error(op string, err error, hint string) *Error {
	return &Error{Op: op, Addr: c.addr, Err: err, hint: hint}
}
