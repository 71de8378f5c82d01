package discover

import "time"

// probes keeps the probes that are still to be sent, and orders them.
//
// Probes of different nodes may lead to one node that is not known yet, and its
// agent has room for few requests: what finds its queue full is dropped. So a node has
// few probes on their way: two, or an agent that has others to answer holds up those that
// have nothing else to do. As nodes go through their ports in different orders (see
// portOrder), those that are joined to the same nodes do not meet at one of them.
//
// A probe that is slow counts no longer: what is dead behind one port holds up no
// other.
type probes struct {
	ready  []*node // that have a probe to send, and none on its way
	flying []*task // counted probes on their way, oldest first; done ones stay until they are the oldest
	trip   time.Duration
}

// maxProbing is how many probes of a node may be on their way.
const maxProbing = 2

// The time after which a probe is slow: a few usual round trips, within bounds.
const (
	slowTrips = 8
	minSlow   = time.Millisecond
	maxSlow   = 250 * time.Millisecond
)

// hold takes a probe to be sent when its turn comes.
func (ps *probes) hold(n *node, port uint8) {
	n.probes = append(n.probes, port)
	ps.makeReady(n)
}

// holdLate holds the probes that have waited for the node to have no questions left.
func (ps *probes) holdLate(n *node) {
	if len(n.late) > 0 && n.left() == 0 {
		n.probes = append(n.probes, n.late...)
		n.late = n.late[:0]
		ps.makeReady(n)
	}
}

// makeReady puts the node in line if it has a probe to send and may.
func (ps *probes) makeReady(n *node) {
	if !n.probeReady && len(n.probes) > 0 && n.probing < maxProbing {
		n.probeReady = true
		ps.ready = append(ps.ready, n)
	}
}

// next takes the next probe.
func (ps *probes) next() (n *node, port uint8, ok bool) {
	for len(ps.ready) > 0 {
		n = ps.ready[0]
		ps.ready = ps.ready[1:]
		n.probeReady = false
		if len(n.probes) > 0 { // else it was taken away
			port = n.probes[0]
			n.probes = n.probes[1:]
			return n, port, true
		}
	}
	return nil, 0, false
}

// sent notes that a probe is on its way.
func (ps *probes) sent(t *task) {
	t.counted = true
	t.node.probing++
	ps.flying = append(ps.flying, t)
}

// done notes the end of any task.
func (ps *probes) done(t *task, now time.Time) {
	if t.request.Tries == 1 && t.request.Err == nil {
		ps.trip += (now.Sub(t.sent) - ps.trip) / 8
	}
	ps.uncount(t)
	for len(ps.flying) > 0 && !ps.flying[0].counted {
		ps.flying = ps.flying[1:]
	}
}

func (ps *probes) uncount(t *task) {
	if t.counted {
		t.counted = false
		t.node.probing--
		ps.makeReady(t.node)
	}
}

// patience is how long to wait for the oldest probe on its way; false when there
// is none.
func (ps *probes) patience(now time.Time) (time.Duration, bool) {
	if len(ps.flying) == 0 {
		return 0, false
	}
	return ps.slow() - now.Sub(ps.flying[0].sent), true
}

func (ps *probes) slow() time.Duration { return min(max(slowTrips*ps.trip, minSlow), maxSlow) }

// giveUpOnSlow no longer counts the probes that are slow.
func (ps *probes) giveUpOnSlow(now time.Time) {
	for len(ps.flying) > 0 {
		t := ps.flying[0]
		if t.counted && now.Sub(t.sent) < ps.slow() {
			return
		}
		ps.uncount(t)
		ps.flying = ps.flying[1:]
	}
}
