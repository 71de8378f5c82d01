package madrpc

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// The heap against a sorted slice, with removals from anywhere.
func TestTimersOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	var h timers
	var all []*Request
	for range 20_000 {
		if len(all) < 40 || len(all) < 200 && rnd.IntN(2) == 0 {
			r := &Request{deadline: time.Duration(rnd.IntN(1000))}
			h.add(r)
			all = append(all, r)
		} else {
			i := rnd.IntN(len(all))
			h.remove(all[i])
			all = slices.Delete(all, i, i+1)
		}
		least := slices.MinFunc(all, func(a, b *Request) int { return int(a.deadline - b.deadline) })
		if got, ok := h.next(); !ok || got != least.deadline || len(h.heap) != len(all) {
			t.Fatalf("next is %v of %d, want %v of %d", got, len(h.heap), least.deadline, len(all))
		}
	}
}

// IDs go round the table many times past one request that stays, and over 0.
func TestTIDs(t *testing.T) {
	ids := newTIDs(64)
	ids.next = 0xfffffffb
	stays := new(Request)
	ids.assign(stays)
	for range 10 * len(ids.slots) {
		r := new(Request)
		ids.assign(r)
		if r.tid == 0 || ids.request(r.tid) != r || ids.request(stays.tid) != stays {
			t.Fatalf("ID %#x is not its request's", r.tid)
		}
		ids.release(r)
		if s := ids.find(r.tid); s == nil || s.r != nil {
			t.Fatalf("finished ID %#x is not remembered", r.tid)
		}
	}
	if ids.find(stays.tid+100) != nil || ids.find(0) != nil {
		t.Error("IDs that were forgotten are known")
	}
}

func TestPolicyDefaults(t *testing.T) {
	tests := []struct {
		o    Options
		want policy
	}{
		{Options{}, policy{perTarget: 4}},
		{Options{Timeout: -1, Retries: -1, MaxOutstanding: -1, MaxPerTarget: -1, Deadline: -1}, policy{tries: 1}},
		{
			Options{Timeout: 1 << 62, Retries: 9, MaxOutstanding: 1 << 30, MaxPerTarget: 1, Deadline: 1 << 62},
			policy{timeout: maxTimeout, tries: 10, window: maxOutstanding, perTarget: 1, deadline: maxTimeout},
		},
	}
	for _, test := range tests {
		got := newPolicy(&test.o)
		got.trips, got.losses, got.congestion = roundTrips{}, lossRate{}, congestion{}
		if got != test.want {
			t.Errorf("%+v: %+v", test.o, got)
		}
	}
}

// The table grows with the IDs in use and loses none of them, wherever it starts.
func TestTIDsGrow(t *testing.T) {
	for next := range uint32(2048) {
		ids := newTIDs(1)
		ids.next = next - 1024
		var all []*Request
		for range 600 {
			r := new(Request)
			ids.assign(r)
			if len(all)%3 == 0 {
				ids.renew(r)
			}
			all = append(all, r)
		}
		for _, r := range all {
			if ids.request(r.tid) != r || r.older[0] != 0 && ids.request(r.older[0]) != r {
				t.Fatalf("from %#x: ID %#x is not its request's", ids.next, r.tid)
			}
			ids.release(r)
		}
		if ids.used != 0 {
			t.Fatalf("%d IDs in use", ids.used)
		}
	}
}
