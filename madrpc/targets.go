package madrpc

import "github.com/ibscope/ibscope/mad"

// target counts the requests to one destination. It exists only while there
// are some.
type target struct {
	key      mad.Target
	admitted int  // in flight, or in line for the global window
	waiting  list // beyond the limit
}

// targets has the destinations in use. Those out of use are kept for the next
// ones, up to maxSpareTargets, so that a steady stream does not allocate.
type targets struct {
	m     map[mad.Target]*target
	spare []*target
}

const maxSpareTargets = 1024

func (t *targets) get(key mad.Target) *target {
	if d := t.m[key]; d != nil {
		return d
	}
	var d *target
	if n := len(t.spare); n > 0 {
		d, t.spare = t.spare[n-1], t.spare[:n-1]
	} else {
		d = new(target)
	}
	d.key = key
	t.m[key] = d
	return d
}

// tidy forgets d when nothing uses it any more.
func (t *targets) tidy(d *target) {
	if d.admitted > 0 || d.waiting.n > 0 {
		return
	}
	delete(t.m, d.key)
	if len(t.spare) < maxSpareTargets {
		t.spare = append(t.spare, d)
	}
}

// enter puts a started request in line, or aside when its target is at its
// limit.
func (c *Client) enter(r *Request) {
	if c.policy.limitsTargets() {
		r.target = c.targets.get(r.Target)
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
