package madrpc

import (
	"cmp"
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
	var p mad.Packet
	c.mu.Lock()
	defer c.mu.Unlock()
	var now time.Duration
	for fresh := 0; c.err == nil; fresh-- {
		if fresh <= 0 || c.pacer.every > 0 {
			now, fresh = c.now(), sendsPerLook
		}
		c.expire(now)
		if c.ring(now) { // who is rung for may start requests now
			now, fresh = c.now(), sendsPerLook
		}
		if m, ok := c.nextControl(); ok {
			c.sendControl(m)
		} else if r := c.nextToSend(now); r != nil {
			c.try(r, now, &p)
		} else {
			if fresh == sendsPerLook {
				c.sleep(timer, now)
			}
			fresh = 0
		}
	}
	// Who has sent us a long reply waits for the last acknowledgement.
	for m, ok := c.nextControl(); ok; m, ok = c.nextControl() {
		c.sendControl(m)
	}
}

// sendsPerLook is how many packets that are sent in one go count as sent at one time:
// a look at the clock costs a tenth of what sending a packet does.
const sendsPerLook = 4

// nextToSend prefers tries that are due: they are in the window already.
func (c *Client) nextToSend(now time.Duration) *Request {
	if c.pacer.wait(now) > 0 {
		return nil
	}
	if c.due.n > 0 && c.policy.mayFlyAgain(c.again-c.overdue-c.due.n) {
		r := c.due.pop()
		c.timers.remove(r)
		c.stats.Resent++
		if r.adapts {
			c.tids.renew(r)
		}
		return r
	}
	if c.ready.n == 0 || c.room() <= 0 {
		return nil
	}
	r := c.ready.pop()
	c.inFlight++
	c.stats.Sent++
	c.tids.assign(r)
	r.adapts = c.policy.adapts(r)
	r.began, r.last = now, never
	if d := c.policy.deadlineOf(r); d < never {
		r.last = now + d
	}
	return r
}

// room is how many requests may be sent for the first time.
func (c *Client) room() int { return c.policy.room(c.inFlight, c.again) }

// try sends r once. The lock is released meanwhile, and r may be finished and
// started again before Send returns; so p gets a copy of the packet, and a
// failure goes by transaction ID.
func (c *Client) try(r *Request, now time.Duration, p *mad.Packet) {
	timeout := c.policy.tryTimeout(r, now)
	hold := c.policy.hold(r, timeout, now)
	r.Tries++
	r.held++
	if r.adapts {
		r.held = 1 // the transport knows the other tries by other IDs
	}
	r.sendErr = nil
	r.graced = false
	r.state = stateFlying
	r.retryAt = min(now+timeout, r.last)
	r.deadline = r.retryAt
	if r.adapts && r.Tries == 1 {
		r.deadline = min(now+c.policy.usual(r), r.retryAt)
	}
	c.timers.add(r)
	c.pacer.sent(now)
	r.Packet.SetTID(uint64(r.tid))
	c.tids.slot(r.tid).sent = now
	tid, tries, held, to := r.tid, r.Tries, r.held, r.addr
	*p = r.Packet

	c.mu.Unlock()
	err := c.t.Send(p, to, hold)
	c.mu.Lock()

	if err == nil {
		return
	}
	c.stats.Unsent++
	if r := c.tids.request(tid); r != nil && r.tid == tid && r.Tries == tries && r.state == stateFlying {
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
		case stateDue:
			c.unanswered(r, r.sendErr, now)
		case stateHeld: // a whole timeout later the report should be here
			c.finish(r, newError(r, r.sendErr))
		default:
			if c.postpone(r, now) {
				continue
			}
			if now < r.retryAt {
				c.late(r, now)
			} else {
				c.lost(r, r.sendErr, now)
			}
		}
	}
}

// A process that did not run when a deadline came may find the reply waiting.
const (
	oversleep = time.Millisecond // later than a timer fires on a machine with nothing else to do
	grace     = 20 * time.Millisecond
)

// postpone gives a try whose deadline was noticed late some time more, once: as
// long as it was overslept, in which the receiver comes to run too. The request
// itself does not end later than it must.
func (c *Client) postpone(r *Request, now time.Duration) bool {
	overslept := now - r.deadline
	if !r.adapts || r.graced || overslept < oversleep || r.deadline >= r.last {
		return false
	}
	r.graced = true
	c.timers.remove(r)
	r.retryAt = min(max(r.retryAt, now+min(overslept, grace)), r.last)
	r.deadline = min(now+min(overslept, grace), r.last)
	c.timers.add(r)
	return true
}

// late treats a first try whose reply does not come as soon as usual. It may still
// come, so it is too early for the next try, unless there is little else to do: then
// everything may be waiting for this reply. Others need not wait for it.
func (c *Client) late(r *Request, now time.Duration) {
	if c.inFlight-c.again <= fewInFlight && c.policy.mayHurry() && c.policy.mayRetry(r, now) {
		c.makeDue(r)
		return
	}
	c.timers.remove(r)
	r.deadline = min(now+c.policy.usual(r), r.retryAt)
	c.timers.add(r)
	if !r.overdue {
		r.again, r.overdue = true, true
		c.again++
		c.overdue++
	}
}

// fewInFlight is how many requests in flight count as little to do.
const fewInFlight = 8

// forgive no longer counts r among those that have lost a try.
func (c *Client) forgive(r *Request) {
	if r.again {
		c.again--
		r.again = false
	}
	if r.overdue {
		c.overdue--
		r.overdue = false
	}
}

// lost ends a try that got no reply: the next one is due, or r ends. Why the
// transport thinks so is in report, nil when it is the clock that says it.
func (c *Client) lost(r *Request, report error, now time.Duration) {
	if r.transfer != nil && r.transfer.isActive() {
		c.stalled(r, report)
		return
	}
	if c.policy.mayRetry(r, now) {
		c.makeDue(r)
		return
	}
	c.unanswered(r, report, now)
}

// unanswered ends r without a reply.
func (c *Client) unanswered(r *Request, report error, now time.Duration) {
	switch {
	case report == nil || errors.Is(report, syscall.ETIMEDOUT):
		c.stats.TimedOut++
		e := &noReply{tries: r.Tries, timeout: now - r.began, report: report, total: true}
		if !r.adapts && now < r.last {
			e.timeout, e.total = c.policy.tryTimeout(r, now), false
		}
		report = e
	case transient(report):
		c.stats.TimedOut++
	}
	c.finish(r, newError(r, report))
}

// makeDue has r, which has a timer, sent again as soon as possible.
func (c *Client) makeDue(r *Request) {
	c.timers.remove(r)
	r.state = stateDue
	r.deadline = r.last
	c.timers.add(r)
	c.due.push(r)
	c.forgive(r)
	r.again = true
	c.again++
	c.kick()
}

// sleep waits until the next deadline or a kick. The timer is left alone while
// it fires early enough: most requests end before their deadline, and setting
// it for each would cost more than waking now and then for nothing.
func (c *Client) sleep(timer *time.Timer, now time.Duration) {
	deadline, ok := c.timers.next()
	if wait := c.pacer.wait(now); wait > 0 && c.ready.n+c.due.n > 0 {
		deadline, ok = min(cmp.Or(deadline, never), now+wait), true
	}
	if next := c.nextAlarm(); next < never && (!ok || next < deadline) {
		deadline, ok = next, true
	}
	if ok && deadline < c.alarm {
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
