package event

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

func TestLog(t *testing.T) {
	l := NewLog(3, 41)
	if got := l.Last(); got != 40 {
		t.Errorf("last of an empty log: %d", got)
	}
	for range 5 {
		l.Add(Event{Kind: LinkUp})
	}
	for _, tt := range []struct{ after, first, missed uint64 }{
		{0, 43, 42}, {40, 43, 2}, {42, 43, 0}, {44, 45, 0},
	} {
		events, missed := l.Since(tt.after)
		if len(events) != int(46-tt.first) || events[0].ID != tt.first || missed != tt.missed {
			t.Errorf("since %d: %d events, the first %d, %d missed", tt.after, len(events), events[0].ID, missed)
		}
	}
	if events, missed := l.Since(45); len(events) != 0 || missed != 0 {
		t.Errorf("since the last: %v, %d missed", events, missed)
	}
}

func TestLogWakesReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLog(10, 1)
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan uint64)
		for range 3 {
			go func() {
				events, _, _ := l.Wait(ctx, 0)
				got <- events[0].ID
			}()
		}
		synctest.Wait()
		l.Add(Event{Kind: LinkDown})
		for range 3 {
			if id := <-got; id != 1 {
				t.Errorf("woken with %d", id)
			}
		}
		cancel()
		if _, _, err := l.Wait(ctx, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("a wait that was given up: %v", err)
		}
	})
}
