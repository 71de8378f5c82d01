package ibsim

import (
	"slices"
	"time"

	"github.com/ibscope/ibscope/mad"
)

// maxInFlight is how many requests the simulator may hold unanswered. It spins,
// and serves nobody else, while a client's socket has no room for an answer; the
// kernel's default buffers hold about 300. More than 32 do not make it faster.
const maxInFlight = 64

// lostAfter is how long an unanswered request keeps its place when others wait
// for it. The simulator answers within microseconds or not at all.
const lostAfter = time.Second

// The simulator replaces the upper 16 bits of a request's transaction ID by the
// client's slot.
const tidBits = 48

const tidMask = 1<<tidBits - 1

// request is what must be restored in the answer.
type request struct {
	tid    uint64
	method mad.Method
	sent   time.Time
}

// window is the requests that are with the simulator, the oldest first.
type window struct {
	reqs []request
}

// room reports whether one more request may go out. When there is none it
// gives up what was sent more than lostAfter ago.
func (w *window) room(now time.Time) bool {
	if len(w.reqs) < maxInFlight {
		return true
	}
	lost := 0
	for lost < len(w.reqs) && now.Sub(w.reqs[lost].sent) >= lostAfter {
		lost++
	}
	w.reqs = slices.Delete(w.reqs, 0, lost)
	return lost > 0
}

// nextRoom is when the oldest request will give up its place.
func (w *window) nextRoom() time.Time { return w.reqs[0].sent.Add(lostAfter) }

// add notes a request that has been sent.
func (w *window) add(p *mad.Packet, now time.Time) {
	w.reqs = append(w.reqs, request{tid: p.TID(), method: p.Method(), sent: now})
}

// take removes the oldest request whose transaction ID has the same lower 48
// bits as tid.
func (w *window) take(tid uint64) (request, bool) {
	for i, r := range w.reqs {
		if (r.tid^tid)&tidMask == 0 {
			w.reqs = slices.Delete(w.reqs, i, i+1)
			return r, true
		}
	}
	return request{}, false
}
