package event_test

import (
	"slices"
	"testing"
	"time"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/watch"
)

// TestLossInventsNothing: where half of the requests get lost much stays unread, and
// nothing has happened.
func TestLossInventsNothing(t *testing.T) {
	run(t, func(l *lab) {
		l.do("loss all:switch 50%", "loss all:ca 50%")
		l.pass(3 * time.Hour)
		l.want()
		if s := l.watcher.State(); s.Refresh.Resent == 0 && s.Refresh.Complete {
			t.Error("nothing was lost")
		}
	})
}

// TestDeafNode: a node that answers nothing is still there as long as its links are up,
// and so is what is behind it; it is gone when they are down.
func TestDeafNode(t *testing.T) {
	run(t, func(l *lab) {
		l.pass(7 * time.Second)
		l.do("loss leaf02 100%")
		l.pass(time.Hour)
		l.want()
		l.do("kill leaf02")
		l.pass(5 * time.Minute)
		l.want(`node-vanished leaf02 n=2`, `node-vanished node0003/1=leaf02/1`, `node-vanished node0004/1=leaf02/2`)
	})
}

// TestDeafNodeBehindIt: what happens behind a deaf switch is told; what it does itself
// cannot be seen.
func TestLinksOfDeafNode(t *testing.T) {
	run(t, func(l *lab) {
		l.pass(7 * time.Second)
		l.do("loss leaf02 100%")
		l.pass(10 * time.Minute)
		l.do("link down leaf02/3", "rename node0005 other")
		l.pass(time.Hour)
		l.want(`link-down leaf02/3=spine01/2 "4xHDR" ""`, `node-renamed other/1=leaf03/1 description "node0005 mlx5_0" "other"`)
	})
}

// TestStored: what is different from a snapshot has happened since it was taken.
func TestStored(t *testing.T) {
	run(t, func(l *lab) {
		before := l.sweep()
		l.do("kill node0005", "rename node0003 other")
		now := l.sweep()
		d := event.NewDetector(nil)
		taken := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
		old := watch.Static("lab", "file:lab.json", before, nil)
		old.At, old.Since = taken, taken
		events := d.Next(old, &watch.State{
			Name: "lab", Fabric: now, Connected: true, Cause: watch.Verification, Since: time.Now(),
			Verify: watch.Run{Count: 1, Started: time.Now()},
		})
		want := []string{
			`node-vanished node0005/1=leaf03/1`, `node-renamed other/1=leaf02/1 description "node0003 mlx5_0" "other"`,
		}
		if !slices.Equal(texts(events), want) {
			t.Errorf("%q", texts(events))
		}
		for _, e := range events {
			if !e.Since.Equal(taken) || e.How != "verification" || e.Fabric != "lab" {
				t.Errorf("since %v, known by %s, in %q", e.Since, e.How, e.Fabric)
			}
		}
	})
}

// TestBeginning: what is there at first has not happened.
func TestBeginning(t *testing.T) {
	run(t, func(l *lab) {
		d := event.NewDetector(nil)
		now := l.watcher.State()
		if events := d.Next(nil, now); len(events) > 0 {
			t.Errorf("%q", texts(events))
		}
		if events := d.Next(now, now); len(events) > 0 {
			t.Errorf("%q", texts(events))
		}
	})
}

// sweep is all that there is now.
func (l *lab) sweep() *fabric.Fabric {
	l.Helper()
	port, err := l.sim.Attach(nil)
	if err != nil {
		l.Fatal(err)
	}
	defer port.Close()
	f, err := discover.Run(l.Context(), port, nil)
	if err != nil {
		l.Fatal(err)
	}
	return f
}

// TestMasters: which manager is the master, and when it is worth a word.
func TestMasters(t *testing.T) {
	a := watch.Manager{Node: 0xa, Port: 1, GUID: 0xa1, LID: 1, State: 3}
	b := watch.Manager{Node: 0xb, Port: 1, GUID: 0xb1, LID: 2, State: 3, Priority: 5}
	none := []watch.Manager(nil)
	d := event.NewDetector(nil)
	f := fabric.NewBuilder().Build()
	var last *watch.State
	for i, tt := range []struct {
		managers []watch.Manager
		want     []string
	}{
		{[]watch.Manager{a}, nil},
		{none, nil}, // one sweep may miss it
		{[]watch.Manager{a}, nil},
		{[]watch.Manager{b}, []string{`manager-change /1=/1 "0x00000000000000a1 LID 1 priority 0" "0x00000000000000b1 LID 2 priority 5"`}},
		{none, nil},
		{none, []string{`manager-change /1 "0x00000000000000b1 LID 2 priority 5" ""`}},
		{none, nil},
		{[]watch.Manager{b}, []string{`manager-change /1 "" "0x00000000000000b1 LID 2 priority 5"`}},
	} {
		s := &watch.State{Number: i, Fabric: f, Connected: true, Managers: tt.managers, Refresh: watch.Run{Count: i + 1}}
		if got := texts(d.Next(last, s)); !slices.Equal(got, tt.want) {
			t.Errorf("sweep %d: %q, want %q", i, got, tt.want)
		}
		last = s
	}
}
