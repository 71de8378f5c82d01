package madrpc

import (
	"testing"
	"testing/synctest"
)

// TestRoomBeside: who is alone has the room that there is; beside others one has a half
// of the window at least, whatever these have begun.
func TestRoomBeside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(echo(10*ms), &Options{MaxOutstanding: 8, MaxPerTarget: -1})
		defer c.Close()
		check := func(what string, own, want, all int) {
			t.Helper()
			synctest.Wait()
			if got := c.RoomBeside(own); got != want || c.Room() != all {
				t.Errorf("%s: room for %d beside %d of its own, of %d; want %d of %d", what, got, own, c.Room(), want, all)
			}
		}
		check("nobody", 0, 8, 8)
		others, own := c.NewQueue(), c.NewQueue()
		for i := range 100 {
			others.Start(portInfo(1, uint32(i)))
		}
		check("others have it all", 0, 4, 0)
		own.Start(portInfo(2, 1))
		own.Start(portInfo(2, 2))
		check("two are its own", 2, 2, 0)
		drain(t, others, 100)
		drain(t, own, 2)
		check("all are done", 0, 8, 8)
		for i := range 6 {
			own.Start(portInfo(2, uint32(i)))
		}
		check("all are its own", 6, 2, 2)
		drain(t, own, 6)
	})
}
