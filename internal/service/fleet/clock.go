package fleet

import (
	"time"

	"github.com/ibscope/ibscope/event"
)

// about is by how much clocks go wrong until they are compared again.
const about = time.Second

// clock is the server's, as far as it is known.
type clock struct {
	offset time.Duration // from the own one
	within time.Duration // how far off that may be
}

// compare finds out about the server's clock: between two times of the own one it was
// as late as it says.
func compare(before, after, server time.Time) clock {
	within := after.Sub(before) / 2
	return clock{server.Sub(before.Add(within)), within}
}

// claim is a collector's claim of an event: when it may have happened by the server's
// clock, whatever that is within what is known of it.
func (c clock) claim(by string, e *event.Event) claim {
	since := e.Since
	if since.IsZero() {
		since = e.Time
	}
	return claim{By: by, Since: since.Add(c.offset - c.within), Time: e.Time.Add(c.offset + c.within), Seen: e.Time}
}
