package madrpc

import (
	"context"
	"slices"
	"time"
)

// NextWithin is Next for a limited time: when that is over it returns nil and no
// error. The client's own clock measures it, so that what becomes overdue at the same
// time is taken note of first: see Client.Room.
func (q *Queue) NextWithin(ctx context.Context, limit time.Duration) (*Request, error) {
	if limit <= 0 {
		return q.poll()
	}
	q.c.setAlarm(q, limit)
	defer q.c.clearAlarm(q)
	for {
		r, err := q.poll()
		if r != nil || err != nil || q.c.hasRung(q) {
			return r, err
		}
		select {
		case <-q.wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (c *Client) setAlarm(q *Queue, limit time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	q.alarm = c.now() + limit
	c.alarms = append(c.alarms, q)
	if q.alarm < c.alarm {
		c.kick()
	}
}

// clearAlarm takes an alarm back, if it has not rung.
func (c *Client) clearAlarm(q *Queue) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.alarms = slices.DeleteFunc(c.alarms, func(other *Queue) bool { return other == q })
}

// hasRung reports whether the time of NextWithin is over.
func (c *Client) hasRung(q *Queue) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !slices.Contains(c.alarms, q)
}

// ring ends the wait of those whose time is over, and reports whether there are any.
func (c *Client) ring(now time.Duration) (rung bool) {
	for i := 0; i < len(c.alarms); {
		q := c.alarms[i]
		if q.alarm > now {
			i++
			continue
		}
		c.alarms = slices.Delete(c.alarms, i, i+1)
		c.tell(q)
		rung = true
	}
	return rung
}

// nextAlarm is when the next wait is over, never for none.
func (c *Client) nextAlarm() time.Duration {
	next := never
	for _, q := range c.alarms {
		next = min(next, q.alarm)
	}
	return next
}
