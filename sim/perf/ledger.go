package perf

import (
	"sync"

	"github.com/ibscope/ibscope/sim"
)

// ledger is what somebody has done to the counters of a port. Ports that nobody
// has touched have none.
type ledger struct {
	mu      sync.RWMutex
	zero    [][]uint64 // by layout and counter: the total at which it was 0; nil: 0
	opcode  []uint8    // by layout: what it counts
	added   map[quantity]uint64
	samples *samples // nil: never
}

// ledger makes the ledger of a port if it has none.
func (c *Counters) ledger(p int) *ledger {
	if l := c.ledgers[p].Load(); l != nil {
		return l
	}
	c.ledgers[p].CompareAndSwap(nil, &ledger{zero: make([][]uint64, len(c.layouts)), opcode: make([]uint8, len(c.layouts))})
	return c.ledgers[p].Load()
}

// reading is the counters of one attribute at a port at one moment.
type reading struct {
	layout *layout
	moment moment
	ledger *ledger // nil for none; else locked
}

// read takes the moment of a port; done ends it.
func (c *Counters) read(at sim.Place, p int, l *layout, r *reading) {
	r.layout, r.moment = l, moment{}
	if r.ledger = c.ledgers[p].Load(); r.ledger != nil {
		r.ledger.mu.RLock()
		r.moment.opcode = r.ledger.opcode[l.index]
	}
	c.at(at, p, c.now(), &r.moment)
}

func (r *reading) done() {
	if r.ledger != nil {
		r.ledger.mu.RUnlock()
	}
}

// value is that of a counter of the layout.
func (r *reading) value(i int) uint64 {
	c := &r.layout.counters[i]
	n := r.moment.total(c.of)
	if d := r.ledger; d != nil {
		n += d.added[c.of]
		if zero := d.zero[r.layout.index]; zero != nil {
			n -= zero[i]
		}
	}
	return c.cut(n)
}

// set makes the value of a counter v from now on. The ledger is locked, and the
// moment is now.
func (d *ledger) set(l *layout, i int, m *moment, v uint64) {
	if d.zero[l.index] == nil {
		d.zero[l.index] = make([]uint64, len(l.counters))
	}
	c := &l.counters[i]
	d.zero[l.index][i] = m.total(c.of) + d.added[c.of] - c.cut(v)
}

// reset sets the counters that a mask selects to 0. A new opcode is counted from
// now on, so all counters of the attribute start again.
func (c *Counters) reset(at sim.Place, p int, l *layout, selected uint64, opcode uint8) {
	d := c.ledger(p)
	d.mu.Lock()
	defer d.mu.Unlock()
	if l.opcode && d.opcode[l.index] != opcode {
		d.opcode[l.index], selected = opcode, ^uint64(0)
	}
	m := moment{opcode: opcode}
	c.at(at, p, c.now(), &m)
	for i := range l.counters {
		if l.counters[i].bit&selected != 0 {
			d.set(l, i, &m, 0)
		}
	}
}
