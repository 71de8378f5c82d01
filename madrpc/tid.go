package madrpc

import (
	"math/bits"
	"math/rand/v2"
	"time"
)

// tids hands out transaction IDs and finds the request that has one. IDs run
// upwards from a random start and index a table directly, so the table also
// remembers the latest finished ones: a reply to one of those is late or a
// duplicate, any other unknown ID belongs to somebody else.
type tids struct {
	next  uint32
	slots []tidSlot // length a power of two, at least four times the IDs in use
	used  int       // IDs of unfinished requests
}

type tidSlot struct {
	tid      uint32 // 0: never used
	answered bool   // a reply has arrived, to this try or another one
	stopped  bool   // a long reply is complete, or its sender has been told to stop
	r        *Request
	sent     time.Duration // when the latest try with this ID was sent
}

func newTIDs(window int) tids {
	size := 1 << bits.Len(uint(max(4*window, 1024)-1))
	return tids{next: rand.Uint32(), slots: make([]tidSlot, size)}
}

func (t *tids) slot(tid uint32) *tidSlot { return &t.slots[tid&uint32(len(t.slots)-1)] }

// assign gives r the next ID whose slot is free: an old request still in flight
// keeps its slot. Most of the table is free.
func (t *tids) assign(r *Request) {
	if 4*t.used >= len(t.slots) {
		t.grow()
	}
	t.used++
	for {
		tid := t.next
		t.next++
		if s := t.slot(tid); s.r == nil && tid != 0 {
			*s = tidSlot{tid: tid, r: r}
			r.tid = tid
			return
		}
	}
}

// unused takes an ID for a packet that no reply is expected to.
func (t *tids) unused() uint32 {
	if t.next == 0 {
		t.next++
	}
	t.next++
	return t.next - 1
}

// find returns the slot that knows tid, nil when none does.
func (t *tids) find(tid uint32) *tidSlot {
	if s := t.slot(tid); s.tid == tid && tid != 0 {
		return s
	}
	return nil
}

// request returns the unfinished request with tid, nil when there is none.
func (t *tids) request(tid uint32) *Request {
	if s := t.find(tid); s != nil {
		return s.r
	}
	return nil
}

// grow doubles the table. IDs that had different slots have different ones still.
func (t *tids) grow() {
	old := t.slots
	t.slots = make([]tidSlot, 2*len(old))
	for _, s := range old {
		if s.tid != 0 {
			*t.slot(s.tid) = s
		}
	}
}

// renew gives r, which has an ID, one more for its next try. The two before stay
// in use.
func (t *tids) renew(r *Request) {
	if oldest := r.older[1]; oldest != 0 {
		t.slot(oldest).r = nil
		t.used--
	}
	r.older = [2]uint32{r.tid, r.older[0]}
	t.assign(r)
}

// release ends the use of r's IDs, which stay known. Once it was answered, all
// further replies are duplicates.
func (t *tids) release(r *Request) {
	answered := t.slot(r.tid).answered
	for _, tid := range [...]uint32{r.tid, r.older[0], r.older[1]} {
		if tid != 0 {
			s := t.slot(tid)
			s.r = nil
			s.answered = s.answered || answered
			t.used--
		}
	}
}
