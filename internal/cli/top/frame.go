package top

import (
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/ib"
)

// frame is what a screen is made of: a fabric at one time. It is immutable.
type frame struct {
	fabric   string
	source   string // the URI, or the service
	at       time.Time
	hosts    int
	switches int
	links    []link
	events   []event.Event // the newest first
	settled  bool          // it has all that it will have: rates, if there is something to count
	lost     string        // why there is no news, "" if there is
}

// link is a link of the fabric, or a port without one.
type link struct {
	a, b     end // b has GUID 0 where nothing is connected
	state    ib.PortState
	rate     string  // "4xNDR", "" if it is not known
	capacity float64 // bytes in a second in one direction, 0 if it is not known
	best     string  // what both ends could do, where that is more
}

// end is one end of a link, and what its counters tell.
type end struct {
	guid ib.GUID
	port int
	name string // untrusted
	lid  ib.LID

	counted    bool    // its counters have been read
	rated      bool    // twice
	xmit, rcv  float64 // bytes in a second
	errors     uint64  // the sum of all counters of errors
	rising     float64 // of these in a minute
	worst      string  // the counter that rose most, else the one that is highest
	discards   float64 // packets in a second
	congestion float64 // 0…1, -1 if it is not known
	downed     uint64  // how often the link went down, as the port counts
}

// forward is what goes from a to b in a second, in bytes, as either end tells; false if
// neither does.
func (l *link) forward() (float64, bool) { return flow(&l.a, &l.b) }

// backward is what goes from b to a.
func (l *link) backward() (float64, bool) { return flow(&l.b, &l.a) }

func flow(from, to *end) (float64, bool) {
	switch {
	case from.rated:
		return from.xmit, true
	case to.rated:
		return to.rcv, true
	}
	return 0, false
}

// use is the share of its capacity that the busier direction has, 0…1 and -1 if it is
// not known.
func (l *link) use() float64 {
	forward, ok := l.forward()
	backward, back := l.backward()
	if l.capacity <= 0 || !ok && !back {
		return -1
	}
	return max(forward, backward) / l.capacity
}

// turned is the link seen from its other end.
func (l *link) turned() link {
	t := *l
	t.a, t.b = l.b, l.a
	return t
}
