package event

import "testing"

// TestFlap: what API, page, metrics and all others go by.
func TestFlap(t *testing.T) {
	for _, tt := range []struct {
		e            Event
		begins, ends bool
		falls        uint64
	}{
		{Event{Kind: LinkDown, Old: "4xHDR"}, false, false, 1},
		{Event{Kind: LinkUp, New: "4xHDR"}, false, false, 0},
		{Event{Kind: LinkIdle, Old: "Active", New: "Initialize"}, false, false, 0},
		{Event{Kind: LinkFlap, Count: 2}, false, false, 2},
		{Event{Kind: LinkFlap, New: flapping, Count: 1}, true, false, 1},
		{Event{Kind: FlapEnded, Old: flapping, Count: 7}, false, true, 7},
		{Event{Kind: LinkDown, Old: flapping, Count: 3}, false, true, 3},
		{Event{Kind: NodeVanished, Old: flapping, Count: 4}, false, true, 4},
		{Event{Kind: NodeVanished}, false, false, 0},
	} {
		begins, ends := tt.e.Flap()
		if begins != tt.begins || ends != tt.ends || tt.e.Falls() != tt.falls {
			t.Errorf("%s: begins %t, ends %t, falls %d", tt.e.String(), begins, ends, tt.e.Falls())
		}
	}
}
