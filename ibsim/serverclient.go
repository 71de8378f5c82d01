package ibsim

import (
	"errors"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// client is one that is attached to a Server. One goroutine takes its packets
// to the fabric, and mostly brings the answers; another exists while it does not
// read them.
type client struct {
	server *Server
	port   NetworkPort
	data   *dataSocket
	slot   int
	id     uint32 // with which it came: a process id or a port number
	qp     uint32 // takes requests to this QP
	owner  string // address of its control socket: others may not speak for it

	num      uint8 // of the port
	nodeInfo smp.NodeInfo
	isSM     atomic.Bool

	requests, dropped atomic.Uint64

	mu      sync.Mutex // of what follows: packets on their way to the client
	closed  bool
	next    datagram
	waiting queue
}

// slotShift is where a transaction ID has the slot of the client that asks.
const slotShift = 48

// serveSocket takes packets from the client to the fabric.
func (c *client) serveSocket() {
	err := c.data.serve()
	c.server.detach(c, reason(err))
}

// fromClient is called for each datagram of the client.
func (c *client) fromClient(b []byte) {
	if len(b) != datagramSize {
		c.server.stats.malformed.Add(1)
		return
	}
	d := (*datagram)(b)
	c.server.stats.requests.Add(1)
	c.requests.Add(1)
	p := d.packet()
	if n := d.length(); n < mad.Size {
		clear(p[n:])
	}
	if !p.IsResponse() {
		p.SetTID(uint64(c.slot)<<slotShift | p.TID()&(1<<slotShift-1))
	}
	to := mad.Addr{LID: d.dlid(), QP: d.dqp()}
	if to.QP == mad.QPGeneral {
		to.QKey = mad.WellKnownQK
	}
	_ = c.port.Send(p, to, 0) // it fails once the client is detached
}

// fromFabric is called for each packet that arrives at the port.
func (c *client) fromFabric(p *mad.Packet, from mad.Addr, err error) {
	status := uint32(0)
	if err != nil {
		status = uint32(errnoOf(err))
		c.server.stats.undelivered.Add(1)
	}
	if to := c.receiver(p, status); to != nil {
		to.deliver(p, from, status)
		return
	}
	c.server.stats.strays.Add(1)
	if !expectsAnswer(p) {
		return
	}
	if asker := c.server.client(p.TID() >> slotShift); asker != nil {
		asker.deliver(p, from, uint32(syscall.ETIMEDOUT))
	}
}

// expectsAnswer reports whether whoever sent the packet waits for another.
func expectsAnswer(p *mad.Packet) bool {
	m := p.Method()
	return !p.IsResponse() && m != mad.MethodTrap && m != mad.MethodReport
}

func errnoOf(err error) syscall.Errno {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno
	}
	return syscall.ETIMEDOUT
}

// receiver is the client that a packet is for which has come to c's port, where
// others may be attached as well: an answer is for who asked, a request for the
// subnet manager, or whoever has taken its QP. It is nil if nobody wants it: C
// programs end at a packet that they did not expect.
func (c *client) receiver(p *mad.Packet, status uint32) *client {
	if status != 0 {
		return c
	}
	if p.IsResponse() {
		other := c.server.client(p.TID() >> slotShift)
		if other != nil && other.isAt(c) {
			return other
		}
		return nil
	}
	if c.isSM.Load() {
		return c
	}
	return nil
}

// isAt reports whether two clients are attached to the same port.
func (c *client) isAt(other *client) bool {
	return c.nodeInfo.NodeGUID == other.nodeInfo.NodeGUID && c.num == other.num
}

// deliver hands a packet to the client, or keeps it until it reads, or drops it
// when too many wait. It never waits.
func (c *client) deliver(p *mad.Packet, from mad.Addr, status uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	if c.waiting.n == 0 && c.data.pace.allow() {
		c.next.encodeArrival(p, from, status)
		err := c.data.trySend(&c.next)
		switch {
		case err == nil:
			c.server.stats.delivered.Add(1)
			return
		case !isFull(err):
			c.server.running.Go(func() { c.server.detach(c, reason(err)) })
			return
		}
	}
	d := c.waiting.push()
	if d == nil {
		c.dropped.Add(1)
		c.server.stats.dropped.Add(1)
		return
	}
	d.encodeArrival(p, from, status)
	if c.waiting.n == 1 {
		c.server.running.Go(c.drain)
	}
}

// errPace: the rest may go after paceEvery.
var errPace = errors.New("too fast")

// drain sends what waits, as the client reads.
func (c *client) drain() {
	for {
		err := c.data.sendWhenPossible(c.sendWaiting)
		if err == nil {
			return
		}
		if !errors.Is(err, errPace) {
			c.server.detach(c, reason(err))
			return
		}
		time.Sleep(paceEvery)
	}
}

// sendWaiting sends what waits, as far as there is room.
func (c *client) sendWaiting(fd uintptr) (more bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.waiting.n > 0 {
		if !c.data.pace.allow() {
			return true, errPace
		}
		if err := trySend(fd, c.waiting.front()); err != nil {
			return true, err
		}
		c.waiting.pop()
		c.server.stats.delivered.Add(1)
	}
	return false, nil
}

// open lets packets through to the client, whose socket there is now.
func (c *client) open() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = false
}

// close gives up the port and the socket; what serves them ends.
func (c *client) close() {
	c.mu.Lock()
	c.closed = true
	c.waiting = queue{}
	c.mu.Unlock()
	c.data.close()
	c.port.Close()
}

// reason says in a word why a socket is of no more use.
func reason(err error) string {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno.Error()
	}
	return "the socket is closed"
}
