package madrpc

import (
	"errors"
	"syscall"
	"time"

	"github.com/ibscope/ibscope/mad"
)

// send is the goroutine that sends and keeps the time. That one goroutine does
// both makes Start free of waiting and gives the transport one sender.
func (c *Client) send() {
	timer := time.NewTimer(never)
	defer timer.Stop()
	c.alarm = never
	var p mad.Packet
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.err == nil {
		now := c.now()
		c.expire(now)
		if m, ok := c.nextControl(); ok {
			c.sendControl(m)
		} else if r := c.nextToSend(); r != nil {
			c.try(r, now, &p)
		} else {
			c.sleep(timer, now)
		}
	}
}

// nextToSend prefers tries that are due: they are in the window already.
func (c *Client) nextToSend() *Request {
	if r := c.due.pop(); r != nil {
		c.stats.Resent++
		return r
	}
	if c.ready.n == 0 || !c.policy.mayFly(c.inFlight) {
		return nil
	}
	r := c.ready.pop()
	c.inFlight++
	c.stats.Sent++
	c.tids.assign(r)
	r.Packet.SetTID(uint64(r.tid))
	return r
}

// try sends r once. The lock is released meanwhile, and r may be finished and
// started again before Send returns; so p gets a copy of the packet, and a
// failure goes by transaction ID.
func (c *Client) try(r *Request, now time.Duration, p *mad.Packet) {
	timeout := c.policy.tryTimeout(r)
	r.Tries++
	r.held++
	r.sendErr = nil
	r.state = stateFlying
	r.deadline = now + timeout
	c.timers.add(r)
	tid, tries, held, to := r.tid, r.Tries, r.held, r.addr
	*p = r.Packet

	c.mu.Unlock()
	err := c.t.Send(p, to, timeout)
	c.mu.Lock()

	if err == nil {
		return
	}
	c.stats.Unsent++
	if r := c.tids.request(tid); r != nil && r.Tries == tries && r.state == stateFlying {
		c.unsent(r, err, r.held < held)
	}
}

// unsent treats a try that the transport refused.
//
// The Linux kernel refuses with EINVAL a request whose transaction ID it still
// waits for, until it has reported the earlier try as lost. Its timeout and
// ours end within milliseconds, so that is common: the try does not count, and
// the report makes it due again. The report may also come in the middle.
func (c *Client) unsent(r *Request, err error, isReported bool) {
	r.held--
	r.sendErr = err
	switch {
	case transient(err): // lost; the timer goes on
	case isReported && errors.Is(err, syscall.EINVAL):
		r.Tries--
		r.sendErr = nil
		c.makeDue(r)
		c.stats.Resent--
	case r.held > 0 && errors.Is(err, syscall.EINVAL):
		r.Tries--
		c.stats.Resent--
		r.state = stateHeld
	default:
		c.finish(r, newError(r, err))
	}
}

// expire treats the requests whose deadline has come.
func (c *Client) expire(now time.Duration) {
	for {
		deadline, ok := c.timers.next()
		if !ok || deadline > now {
			return
		}
		r := c.timers.heap[0]
		switch r.state {
		case stateResting:
			c.makeDue(r)
		case stateHeld: // a whole timeout later the report should be here
			c.finish(r, newError(r, r.sendErr))
		default:
			c.lost(r, r.sendErr)
		}
	}
}

// lost ends a try that got no reply: the next one is due, or r ends. Why the
// transport thinks so is in report, nil when it is the clock that says it.
func (c *Client) lost(r *Request, report error) {
	if r.transfer != nil && r.transfer.isActive() {
		c.stalled(r, report)
		return
	}
	if c.policy.mayRetry(r) {
		c.makeDue(r)
		return
	}
	switch {
	case report == nil || errors.Is(report, syscall.ETIMEDOUT):
		c.stats.TimedOut++
		report = &noReply{r.Tries, c.policy.tryTimeout(r), report}
	case transient(report):
		c.stats.TimedOut++
	}
	c.finish(r, newError(r, report))
}

// makeDue has r, which has a timer, sent again as soon as possible.
func (c *Client) makeDue(r *Request) {
	c.timers.remove(r)
	r.state = stateDue
	c.due.push(r)
	c.kick()
}

// sleep waits until the next deadline or a kick. The timer is left alone while
// it fires early enough: most requests end before their deadline, and setting
// it for each would cost more than waking now and then for nothing.
func (c *Client) sleep(timer *time.Timer, now time.Duration) {
	if deadline, ok := c.timers.next(); ok && deadline < c.alarm {
		c.alarm = deadline
		timer.Reset(deadline - now)
	}
	c.asleep = true
	c.mu.Unlock()
	fired := false
	select {
	case <-c.wake:
	case <-timer.C:
		fired = true
	}
	c.mu.Lock()
	c.asleep = false
	if fired {
		c.alarm = never
	}
}

// kick wakes the sender if it sleeps.
func (c *Client) kick() {
	if c.asleep {
		c.asleep = false
		notify(c.wake)
	}
}
