package madrpc

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// NextWithin waits as long as it is told, for no reply, for one that comes before, and
// for a context that ends.
func TestNextWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(echo(50*ms), nil)
		defer c.Close()
		q, other := c.NewQueue(), c.NewQueue()
		if _, err := q.NextWithin(t.Context(), time.Hour); err != ErrEmpty {
			t.Errorf("empty: %v", err)
		}
		r := portInfo(1, 0)
		q.Start(r)
		began := time.Now()
		other.Start(portInfo(2, 0))
		for _, step := range []struct {
			limit, at time.Duration
			want      *Request
		}{{-1, 0, nil}, {0, 0, nil}, {7 * ms, 7 * ms, nil}, {20 * ms, 27 * ms, nil}, {time.Hour, 50 * ms, r}} {
			got, err := q.NextWithin(t.Context(), step.limit)
			if at := time.Since(began); got != step.want || err != nil || at != step.at {
				t.Errorf("within %v: %v, %v at %v, want %v at %v", step.limit, got, err, at, step.want, step.at)
			}
		}
		q.Start(r)
		ctx, cancel := context.WithTimeout(t.Context(), 10*ms)
		defer cancel()
		if got, err := q.NextWithin(ctx, time.Hour); got != nil || err != context.DeadlineExceeded {
			t.Errorf("%v, %v", got, err)
		}
		if len(c.alarms) != 0 {
			t.Errorf("%d alarms are left", len(c.alarms))
		}
		if got, err := other.Next(t.Context()); got == nil || err != nil {
			t.Errorf("%v, %v", got, err)
		}
		q.Close()
	})
}
