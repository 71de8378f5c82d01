package ibsim

import (
	"testing"
	"time"

	"github.com/ibscope/ibscope/mad"
)

func TestQueueKeepsOrder(t *testing.T) {
	var q queue
	var in, out uint64
	put := func() {
		in++
		q.push().packet().SetTID(in)
	}
	get := func() {
		out++
		if got := q.front().packet().TID(); got != out {
			t.Fatalf("got %d, want %d", got, out)
		}
		q.pop()
	}
	for round := range 500 { // grows while its first entry is anywhere
		for range round%7 + 1 {
			put()
		}
		for range min(q.n, round%5+1) {
			get()
		}
	}
	for q.n > 0 {
		get()
	}
	if in != out || len(q.ring) > keepQueued {
		t.Errorf("put %d, got %d, kept memory for %d", in, out, len(q.ring))
	}
}

func TestQueueIsBounded(t *testing.T) {
	var q queue
	for i := range maxQueued {
		if q.push() == nil {
			t.Fatalf("full at %d", i)
		}
	}
	if q.push() != nil {
		t.Errorf("took more than %d", maxQueued)
	}
	q.pop()
	if q.push() == nil {
		t.Error("a free place is not used")
	}
}

func TestWindow(t *testing.T) {
	var w window
	now := time.Now()
	var p mad.Packet
	p.Init(mad.ClassSubnDirected, mad.MethodGet, 0x11, 0)
	for i := range maxInFlight {
		if !w.room(now) {
			t.Fatalf("no room for request %d", i)
		}
		p.SetTID(0xabcd<<tidBits | uint64(i))
		w.add(&p, now.Add(time.Duration(i)*time.Millisecond))
	}
	if w.room(now) {
		t.Error("room for more than the window")
	}
	if r, ok := w.take(9<<tidBits | 5); !ok || r.tid != 0xabcd<<tidBits|5 {
		t.Errorf("took %x, %v", r.tid, ok)
	}
	if _, ok := w.take(5); ok {
		t.Error("the same request was taken twice")
	}
	p.SetTID(1 << 40)
	w.add(&p, now.Add(time.Hour))
	if got, want := w.nextRoom(), now.Add(lostAfter); !got.Equal(want) {
		t.Errorf("next room at %v, want %v", got, want)
	}
	if !w.room(now.Add(lostAfter + 9*time.Millisecond)) {
		t.Error("requests without an answer keep the window closed")
	}
	if got, want := len(w.reqs), maxInFlight-9; got != want {
		t.Errorf("%d requests left, want %d", got, want)
	}
}
