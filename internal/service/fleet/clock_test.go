package fleet

import (
	"testing"
	"time"

	"github.com/ibscope/ibscope/event"
)

// TestSlowServer: two collectors that see a thing at one moment agree that it is one,
// however long the server takes to tell its clock and whichever part of that is on the
// way to it; and each knows its claim again when it knows the clock better.
func TestSlowServer(t *testing.T) {
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	const ahead, takes = time.Minute, 4 * time.Second
	own := func(by string, skew, until time.Duration) claim { // of a collector whose clock is late, the server's is read at a moment
		before := now.Add(-skew)
		c := compare(before, before.Add(takes), now.Add(ahead+until))
		return c.claim(by, &event.Event{Time: now.Add(time.Hour - skew)})
	}
	for _, a := range []time.Duration{0, takes / 3, takes} {
		for _, b := range []time.Duration{0, takes / 3, takes} {
			x, y := own("a", 0, a), own("b", 3*time.Second, b)
			if !x.isSame(&y) || !y.isOthers(x) {
				t.Errorf("the clock read after %v and %v: %+v and %+v are two", a, b, x, y)
			}
			if z := own("a", 0, b); !z.isMarked(x) || z.isMarked(y) {
				t.Errorf("the clock read after %v, then %v: %+v is not known again as %+v", a, b, x, z)
			}
		}
	}
	first, later := own("a", 0, 0), own("b", 0, takes)
	later.Since, later.Time = later.Since.Add(time.Minute), later.Time.Add(time.Minute)
	if first.isSame(&later) {
		t.Errorf("%+v and %+v are one", first, later)
	}
}
