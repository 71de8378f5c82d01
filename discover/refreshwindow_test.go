package discover_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
)

// TestRefreshInASmallWindow: what memory answers takes no place in the window, so a
// refresh comes to its end however small that is.
func TestRefreshInASmallWindow(t *testing.T) {
	for _, most := range []int{1, 2, 4, 8, 16} {
		for _, level := range []discover.Level{discover.Normal, discover.Quick} {
			synctest.Test(t, func(t *testing.T) {
				s, err := sim.New(smallTree(t), &sim.Options{Latency: time.Millisecond})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				port, err := s.Attach(nil)
				if err != nil {
					t.Fatal(err)
				}
				client := madrpc.New(port, nil)
				defer client.Close()
				o := discover.Options{MaxOutstanding: most}
				known, err := discover.Walk(t.Context(), client, &o)
				if err != nil {
					t.Fatal(err)
				}
				got, err := discover.Refresh(t.Context(), client, known, &discover.RefreshOptions{Options: o, Level: level, Period: 1000})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(everything(known), everything(got)); diff != "" {
					t.Errorf("%d at once, level %d: (-known +refresh)\n%s", most, level, cmp.Diff(picture(known), picture(got)))
				}
			})
		}
	}
}
