package madrpc

import "github.com/ibscope/ibscope/mad"

// target counts the requests to one destination.
type target struct {
	key        mad.Target
	admitted   int     // in flight, or in line for the global window
	waiting    list    // beyond the limit
	idle       bool    // nothing uses it; it is in targets.oldest and on
	prev, next *target // among the idle ones
}

// targets has the destinations in use and, up to maxIdleTargets, those that were
// used last: who has been asked is likely to be asked again, and to put a target in
// a map and take it out costs a tenth of a request. A steady stream does not allocate.
type targets struct {
	m              map[mad.Target]*target
	oldest, newest *target // idle
	idle           int
}

const maxIdleTargets = 1024

func (t *targets) get(key *mad.Target) *target {
	if d := t.m[*key]; d != nil {
		if d.idle {
			t.unlink(d)
		}
		return d
	}
	var d *target
	if t.idle >= maxIdleTargets {
		d = t.oldest
		t.unlink(d)
		delete(t.m, d.key)
	} else {
		d = new(target)
	}
	d.key = *key
	t.m[*key] = d
	return d
}

// inUse is how many targets have requests.
func (t *targets) inUse() int { return len(t.m) - t.idle }

// tidy puts d aside when nothing uses it any more.
func (t *targets) tidy(d *target) {
	if d.admitted > 0 || d.waiting.n > 0 {
		return
	}
	d.idle, d.prev, d.next = true, t.newest, nil
	if t.newest != nil {
		t.newest.next = d
	} else {
		t.oldest = d
	}
	t.newest = d
	if t.idle++; t.idle > maxIdleTargets {
		d = t.oldest
		t.unlink(d)
		delete(t.m, d.key)
	}
}

// unlink takes d out of the idle targets.
func (t *targets) unlink(d *target) {
	if d.prev != nil {
		d.prev.next = d.next
	} else {
		t.oldest = d.next
	}
	if d.next != nil {
		d.next.prev = d.prev
	} else {
		t.newest = d.prev
	}
	d.idle, d.prev, d.next = false, nil, nil
	t.idle--
}

// enter puts a started request in line, or aside when its target is at its
// limit.
func (c *Client) enter(r *Request) {
	if c.policy.limitsTargets() {
		r.target = c.targets.get(&r.Target)
		if !c.policy.mayAdmit(r.target.admitted) {
			r.state = stateWaiting
			r.target.waiting.push(r)
			return
		}
	}
	c.admit(r)
}

func (c *Client) admit(r *Request) {
	if r.target != nil {
		r.target.admitted++
	}
	r.state = stateReady
	c.ready.push(r)
	if c.room() > 0 {
		c.kick()
	}
}

// leave takes r, whose state keeps it nowhere any more, off its target's count
// and admits the next one that waits.
func (c *Client) leave(r *Request, was state) {
	d := r.target
	if d == nil {
		return
	}
	r.target = nil
	if was != stateWaiting {
		d.admitted--
	}
	if c.policy.mayAdmit(d.admitted) {
		if next := d.waiting.pop(); next != nil {
			c.admit(next)
		}
	}
	c.targets.tidy(d)
}
