// Package total makes totals of counters: of what ports tell in fields of 4 to 64
// bits, at whatever times, it makes counts that go on, rates over the time that truly
// passed, and says what is not known.
package total

import (
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/ib"
)

// Key names a port for as long as its node keeps its GUID, in whatever fabric it is
// found again.
type Key struct {
	Node ib.GUID
	Num  int // of the port
}

// Port is what is known of the counters of one port. It is immutable.
type Port struct {
	Key

	// Has are the counters that the port's agent has and that have been read at least
	// once. Values of others mean nothing: absent is not 0.
	Has counters.Set

	// Values are the totals. A counter of 64 bits is what the port tells. A shorter one
	// goes on beyond the end of its field, and over resets: it is what has been counted
	// since the first reading, added to what stood there then. Data is in bytes.
	Values [counters.NumCounters]uint64

	// Saturated are the counters that stand at the end of their field, and count no more
	// until somebody resets them: the true totals may be higher.
	Saturated counters.Set

	// Rates are per second, over Interval, of the counters in Rated; data in bytes.
	Rates [counters.NumCounters]float64
	Rated counters.Set

	// Added are what the counters in Rated counted in Interval.
	Added [counters.NumCounters]uint64

	// Congestion is the share of Interval, 0…1, in which the port had data to send and
	// no credits, as far as XmitWait tells; -1 where it is not known.
	Congestion float64

	// Details say more about errors, as of when they were read last, which is not each
	// time; nil where that never was.
	Details *Details

	At       time.Time     // of the last reading, the middle of it
	Interval time.Duration // between the last two readings; 0 before the second
	Resets   uint64        // how often counters were seen to be lower than before
	Missed   int           // passes since the last one that read the port; 0: it is fresh
}

// Table are the ports of a fabric after a pass. It is immutable and safe for
// concurrent use.
type Table struct {
	At    time.Time // when the pass ended
	Ports []*Port   // by node GUID and port number

	index map[Key]int32 // in Ports; tables of the same ports share it
}

// NewTable makes a table of ports that are in order, each once.
func NewTable(at time.Time, ports []*Port) *Table {
	t := &Table{At: at, Ports: ports, index: make(map[Key]int32, len(ports))}
	for i, p := range ports {
		t.index[p.Key] = int32(i)
	}
	return t
}

// Port finds a port; nil if it has never been read. A nil table has none.
func (t *Table) Port(node ib.GUID, num int) *Port {
	if t == nil {
		return nil
	}
	i, ok := t.index[Key{node, num}]
	if !ok {
		return nil
	}
	return t.Ports[i]
}
