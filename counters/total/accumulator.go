package total

import (
	"cmp"
	"slices"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/pma"
)

// Bounds of what is kept of ports that nobody reads any more: for how many passes, and,
// should they be more than were ever read in one pass, how many.
const (
	keepMissed = 60
	keepPorts  = 1024
)

// Accumulator makes totals of samples. It belongs to one goroutine at a time; the
// Tables that it gives belong to nobody.
type Accumulator struct {
	ports map[Key]*entry
	order []*entry // by key, but for those that are new
	isNew bool     // some are
	pass  uint64   // the number of the pass that is under way
	read  int      // ports in it
	most  int      // ports that were ever read in one pass
	room  []Port   // to make Ports of, many at a time
	index map[Key]int32
	ticks map[ib.GUID]*tick

	received pma.PortRcvErrorDetails // room to decode
	discards pma.PortXmitDiscardDetails
}

// New makes an Accumulator that knows no ports.
func New() *Accumulator {
	return &Accumulator{ports: map[Key]*entry{}, pass: 1, ticks: map[ib.GUID]*tick{}}
}

// Add takes in a sample, which it does not keep. One in which nothing was read counts
// as none, and so does one of all ports of a node together. A sample that is not newer
// than the last one of its port gives totals, and no rates.
func (a *Accumulator) Add(s *counters.Sample) {
	port := s.Port()
	if s.Has == 0 || port == nil {
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
	if e.pass != a.pass {
		a.read++
	}
	p := a.newPort(e.port)
	e.read(p, s, bytesPerSecond(port))
	a.learnTick(s)
	a.learnDetails(e, p, s)
	p.Congestion = a.congestion(p, port)
	e.port, e.pass = p, a.pass
}

// newPort is a copy of a Port for the next table.
func (a *Accumulator) newPort(of *Port) *Port {
	const many = 64 // allocated together: they are made, and mostly forgotten, together
	if len(a.room) == 0 {
		a.room = make([]Port, many)
	}
	p := &a.room[0]
	a.room = a.room[1:]
	*p = *of
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
	if changed := a.forget(); changed || a.isNew || a.index == nil {
		a.index = make(map[Key]int32, len(a.order))
		for i, e := range a.order {
			a.index[e.port.Key] = int32(i)
		}
	}
	a.isNew, a.read = false, 0
	a.pass++
	t := &Table{At: at, Ports: make([]*Port, len(a.order)), index: a.index}
	for i, e := range a.order {
		t.Ports[i] = e.port
	}
	return t
}

// forget counts the passes that ports have missed, and drops those that have missed too
// many. It reports whether there were any.
func (a *Accumulator) forget() bool {
	a.most = max(a.most, a.read)
	if a.read == len(a.order) {
		return false
	}
	var missed [keepMissed + 2]int // ports, by the passes that they missed
	for _, e := range a.order {
		if e.pass != a.pass {
			e.port = a.newPort(e.port)
			e.port.Missed++
			missed[e.port.Missed]++
		}
	}
	keep, room := 0, max(keepPorts, a.most) // keep those that missed this many, at most
	for keep < keepMissed && missed[keep+1] <= room {
		keep++
		room -= missed[keep]
	}
	before := len(a.order)
	a.order = slices.DeleteFunc(a.order, func(e *entry) bool {
		if e.port.Missed > keep {
			delete(a.ports, e.port.Key)
		}
		return e.port.Missed > keep
	})
	return len(a.order) < before
}
