package total

import (
	"cmp"
	"slices"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/fabric"
)

// keepMissed is for how many passes a port is kept that nobody has read.
const keepMissed = 60

// Accumulator makes totals of samples. It belongs to one goroutine at a time; the
// Tables that it gives belong to nobody.
type Accumulator struct {
	ports map[Key]*entry
	order []*entry // by key, but for those that are new
	isNew bool     // some are
	pass  uint64   // the number of the pass that is under way
	room  []Port   // to make Ports of, many at a time
	index map[Key]int32
}

// entry is what is known of a port.
type entry struct {
	raw   [counters.NumCounters]uint64 // as the port told them last
	has   counters.Set                 // that have a last value
	wide  counters.Set                 // of 64 bits
	fresh counters.Set                 // that were in the last reading
	full  counters.Set                 // that stood at the end of their field in it
	wraps bool                         // counters of 32 bits begin anew at their end
	pass  uint64                       // in which it was read last
	port  *Port                        // as it stands in the next table
}

// New makes an Accumulator that knows no ports.
func New() *Accumulator { return &Accumulator{ports: map[Key]*entry{}, pass: 1} }

// Add takes in a sample, which it does not keep. One in which nothing was read counts
// as none, and one of all ports of a node together too.
func (a *Accumulator) Add(s *counters.Sample) {
	if s.Has == 0 || s.Port() == nil {
		return
	}
	key := Key{s.Node.GUID(), s.Num}
	e := a.ports[key]
	if e == nil {
		e = &entry{port: &Port{Key: key}}
		a.ports[key] = e
		a.order = append(a.order, e)
		a.isNew = true
	}
	at := s.Before.Add(s.After.Sub(s.Before) / 2)
	if e.fresh != 0 && !at.After(e.port.At) {
		return // older than what is known
	}
	p := a.newPort()
	*p = *e.port
	e.read(p, s, at)
	e.port, e.pass = p, a.pass
}

// newPort is a Port for the next table.
func (a *Accumulator) newPort() *Port {
	const many = 64
	if len(a.room) == 0 {
		a.room = make([]Port, many)
	}
	p := &a.room[0]
	a.room = a.room[1:]
	return p
}

// Table ends a pass, and gives the table of all ports. Those that were not read in it
// have one Missed more, and are forgotten when they have too many.
func (a *Accumulator) Table(at time.Time) *Table {
	if a.isNew {
		slices.SortFunc(a.order, func(x, y *entry) int {
			return cmp.Or(cmp.Compare(x.port.Node, y.port.Node), cmp.Compare(x.port.Num, y.port.Num))
		})
	}
	before := len(a.order)
	a.order = slices.DeleteFunc(a.order, func(e *entry) bool {
		if e.pass != a.pass {
			p := a.newPort()
			*p = *e.port
			p.Missed++
			e.port = p
		}
		if e.port.Missed > keepMissed {
			delete(a.ports, e.port.Key)
			return true
		}
		return false
	})
	if a.isNew || len(a.order) != before || a.index == nil {
		a.index = make(map[Key]int32, len(a.order))
		for i, e := range a.order {
			a.index[e.port.Key] = int32(i)
		}
	}
	a.isNew = false
	a.pass++
	t := &Table{At: at, Ports: make([]*Port, len(a.order)), index: a.index}
	for i, e := range a.order {
		t.Ports[i] = e.port
	}
	return t
}

// read makes p what it is after a reading.
func (e *entry) read(p *Port, s *counters.Sample, at time.Time) {
	has := s.Has &^ (e.wide &^ s.Wide) // a narrow field tells nothing beside a wide one
	p.Interval = 0
	if e.fresh != 0 {
		p.Interval = at.Sub(p.At)
	}
	p.At, p.Missed, p.Rated = at, 0, 0
	p.Saturated = p.Saturated&^has | s.Saturated&has
	p.Has |= has
	d := step{e: e, p: p, s: s, limit: limitOf(s.Port())}
	for c := range has.All() {
		d.counter(c)
	}
	if d.reset {
		p.Resets++
	}
	e.has |= has
	e.wide |= s.Wide & has
	e.fresh, e.full = has, s.Saturated&has
	p.Congestion = congestion(p, s)
}

// limitOf is how many bytes the link of a port can carry in a second, 0 if that is not
// known.
func limitOf(p *fabric.Port) float64 {
	return 0
}

func congestion(*Port, *counters.Sample) float64 { return -1 }
