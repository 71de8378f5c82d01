package event_test

import (
	"errors"
	"testing"
	"time"

	"github.com/ibscope/ibscope/event"
)

// cases are what somebody does, minutes apart, and what is told of it.
func TestDetector(t *testing.T) {
	type step struct {
		do   []string
		wait time.Duration // 0: 3 minutes
		want []string
	}
	for _, tt := range []struct {
		name  string
		steps []step
	}{
		{"link between switches", []step{
			{do: []string{"link down leaf02/3"}, want: []string{`link-down leaf02/3=spine01/2 "4xHDR" ""`}},
			{do: []string{"link up leaf02/3"}, want: []string{`link-up leaf02/3=spine01/2 "" "4xHDR"`}},
		}},
		{"link to a host", []step{
			{do: []string{"link down leaf02/1"}, want: []string{`node-vanished node0003/1=leaf02/1`}},
			{do: []string{"link up leaf02/1"}, want: []string{`node-appeared node0003/1=leaf02/1`}},
		}},
		{"dead host", []step{
			{do: []string{"kill node0003"}, want: []string{`node-vanished node0003/1=leaf02/1`}},
			{do: []string{"revive node0003"}, want: []string{`node-appeared node0003/1=leaf02/1`}},
		}},
		{"dead spine", []step{
			{do: []string{"kill spine02"}, want: []string{`node-vanished spine02`}},
			{do: []string{"revive spine02"}, want: []string{`node-appeared spine02`}},
		}},
		{"dead leaf", []step{
			{do: []string{"kill leaf02"}, want: []string{
				`node-vanished leaf02 n=2`, `node-vanished node0003/1=leaf02/1`, `node-vanished node0004/1=leaf02/2`,
			}},
			{do: []string{"revive leaf02"}, want: []string{
				`node-appeared leaf02 n=2`, `node-appeared node0003/1=leaf02/1`, `node-appeared node0004/1=leaf02/2`,
			}},
		}},
		{"renamed", []step{
			{do: []string{"rename node0003 other"}, wait: time.Hour, want: []string{`node-renamed other/1=leaf02/1 description "node0003 mlx5_0" "other"`}},
		}},
		{"hosts exchanged at once", []step{
			{do: []string{"unplug node0003/1", "unplug node0005/1", "plug node0003/1 leaf03/1", "plug node0005/1 leaf02/1"}, want: []string{
				`node-moved node0003/1=leaf03/1 "MF0;leaf02:MQM8700/U1 port 1" "MF0;leaf03:MQM8700/U1 port 1"`,
				`node-moved node0005/1=leaf02/1 "MF0;leaf03:MQM8700/U1 port 1" "MF0;leaf02:MQM8700/U1 port 1"`,
			}},
		}},
		{"host moved slowly", []step{
			{do: []string{"unplug node0003/1", "kill node0005"}, want: []string{
				`node-vanished node0003/1=leaf02/1`, `node-vanished node0005/1=leaf03/1`,
			}},
			{do: []string{"unplug leaf03/1", "plug node0003/1 leaf03/1"}, want: []string{
				`node-moved node0003/1=leaf03/1 "MF0;leaf02:MQM8700/U1 port 1" "MF0;leaf03:MQM8700/U1 port 1"`,
			}},
		}},
		{"cables between switches exchanged", []step{
			{do: []string{"unplug leaf01/3", "unplug leaf02/3", "plug leaf01/3 spine01/2", "plug leaf02/3 spine01/1"}, wait: time.Hour, want: []string{
				`link-moved leaf01/3=spine01/2 "MF0;spine01:MQM8700/U1 port 1" "MF0;spine01:MQM8700/U1 port 2"`,
				`link-moved leaf02/3=spine01/1 "MF0;spine01:MQM8700/U1 port 2" "MF0;spine01:MQM8700/U1 port 1"`,
			}},
		}},
		{"host replaced at once", []step{
			{do: []string{"replace node0003 guid=0xabc00 description=new"}, want: []string{
				`node-replaced new/1=leaf02/1 "node0003 mlx5_0 0xb83fd20300000010" "new 0x00000000000abc00"`,
			}},
		}},
		{"host replaced slowly", []step{
			{do: []string{"kill node0003"}, want: []string{`node-vanished node0003/1=leaf02/1`}},
			{do: []string{"replace node0003 guid=0xabc00 description=new"}, want: []string{
				`node-replaced new/1=leaf02/1 "node0003 mlx5_0 0xb83fd20300000010" "new 0x00000000000abc00"`,
			}},
		}},
		{"host started again at once", []step{
			{do: []string{"kill node0003", "revive node0003"}, wait: 5 * time.Minute, want: []string{`node-rebooted node0003/1=leaf02/1 n=1`}},
		}},
		{"switch started again at once", []step{
			{do: []string{"kill leaf02", "revive leaf02"}, wait: 5 * time.Minute, want: []string{`node-rebooted leaf02 n=4`}},
		}},
		{"LID", []step{
			{do: []string{"lid node0003 77"}, wait: time.Hour, want: []string{`lid-changed node0003/1=leaf02/1 lid "9" "77"`}},
		}},
		{"narrow", []step{
			{do: []string{"speed leaf02/3 1x"}, wait: 5 * time.Minute, want: []string{
				`width-lost leaf02/3=spine01/2 width "4x" "1x"`, `link-flap leaf02/3=spine01/2 n=1`,
			}},
			{do: []string{"speed leaf02/3 full"}, wait: 5 * time.Minute, want: []string{
				`rate-restored leaf02/3=spine01/2 "1xHDR" "4xHDR"`, `link-flap leaf02/3=spine01/2 n=1`,
			}},
		}},
		{"slow", []step{
			{do: []string{"link down leaf02/3"}, want: []string{`link-down leaf02/3=spine01/2 "4xHDR" ""`}},
			{do: []string{"speed leaf02/3 EDR", "link up leaf02/3"}, want: []string{
				`link-up leaf02/3=spine01/2 "" "4xEDR"`, `speed-lost leaf02/3=spine01/2 speed "HDR" "EDR"`,
			}},
		}},
		{"errors", []step{
			{do: []string{"burst leaf02/3 SymbolErrorCounter=5000 over=20s"}, want: []string{`errors-high leaf02/3=spine01/2 SymbolErrorCounter n=5000`}},
			{wait: 2 * time.Hour, want: []string{`errors-ended leaf02/3=spine01/2 SymbolErrorCounter`}},
			{do: []string{"count leaf02/3 SymbolErrorCounter=10"}},
		}},
		{"unseen flaps", []step{
			{do: []string{"flap leaf02/3 times=2 period=4s down=1s"}, wait: 5 * time.Minute, want: []string{`link-flap leaf02/3=spine01/2 n=2`}},
			{do: []string{"flap leaf02/3 times=2 period=4s down=1s"}, wait: 5 * time.Minute, want: []string{`link-flap leaf02/3=spine01/2 "" "flapping" n=2`}},
			{do: []string{"flap leaf02/3 times=2 period=4s down=1s"}, wait: time.Hour, want: []string{`flap-ended leaf02/3=spine01/2 "flapping" "" n=2`}},
		}},
		{"counters reset by somebody", []step{
			{do: []string{"set leaf02/3 SymbolErrorCounter=9"}},
			{do: []string{"set leaf02/3 SymbolErrorCounter=0"}, want: []string{`counter-reset leaf02/3=spine01/2 n=1`}},
		}},
		{"the manager", []step{
			{do: []string{"sm stop"}, want: []string{`manager-change node0001/1 "0xb83fd20300000004 LID 7 priority 0" ""`}},
			{do: []string{"sm start"}, want: []string{`manager-change node0001/1 "" "0xb83fd20300000004 LID 7 priority 0"`}},
		}},
		{"links that come up without a manager", []step{
			{do: []string{"link down leaf02/3", "sm stop"}, want: []string{
				`link-down leaf02/3=spine01/2 "4xHDR" ""`, `manager-change node0001/1 "0xb83fd20300000004 LID 7 priority 0" ""`,
			}},
			{do: []string{"link up leaf02/3"}, want: []string{`link-up leaf02/3=spine01/2 "" "4xHDR"`, `link-idle leaf02/3=spine01/2 "Active" "Initialize"`}},
			{do: []string{"sm start"}, want: []string{
				`link-up leaf02/3=spine01/2 "" "4xHDR"`, `manager-change node0001/1 "" "0xb83fd20300000004 LID 7 priority 0"`,
			}},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			run(t, func(l *lab) {
				l.pass(7 * time.Second) // sweeps and passes are not under way
				for _, s := range tt.steps {
					l.do(s.do...)
					if s.wait == 0 {
						s.wait = 3 * time.Minute
					}
					l.pass(s.wait)
					l.want(s.want...)
				}
				l.pass(3 * time.Hour)
				for _, e := range l.take() {
					if e.Kind != event.FlapEnded && e.Kind != event.ErrorsEnded {
						t.Errorf("hours later: %s", e.String())
					}
				}
			})
		})
	}
}

// TestCauses: what hangs by a dead switch is told as its consequence, and what comes
// back follows on what went.
func TestCauses(t *testing.T) {
	run(t, func(l *lab) {
		l.do("kill leaf02")
		l.pass(2 * time.Minute)
		gone := l.take()
		l.do("revive leaf02")
		l.pass(2 * time.Minute)
		come := l.take()
		if len(gone) != 3 || len(come) != 3 {
			t.Fatalf("%q, then %q", texts(gone), texts(come))
		}
		for i := range 3 {
			cause, back := uint64(0), uint64(0)
			if i > 0 {
				cause, back = gone[0].ID, come[0].ID
			}
			if gone[i].Cause != cause || come[i].Cause != back || come[i].Again != gone[i].ID {
				t.Errorf("%s\n%s", gone[i].String(), come[i].String())
			}
		}
		if len(gone[0].Links) != 4 || len(come[0].Links) != 4 || gone[0].Links[2].To.Name != "MF0;spine01:MQM8700/U1" {
			t.Errorf("links %v, %v", gone[0].Links, come[0].Links)
		}
	})
}

// TestLost: while the fabric cannot be asked nothing is known, and then what is
// different from before has happened since.
func TestLost(t *testing.T) {
	run(t, func(l *lab) {
		l.mu.Lock()
		l.lost = errors.New("no such device")
		_ = l.port.Close()
		l.mu.Unlock()
		l.pass(2 * time.Minute)
		lost := l.want(`fabric-lost node0001/1=leaf01/1 "" "sim: recv node 0xb83fd20300000004 port 1: file already closed"`)
		l.do("kill node0005")
		l.pass(2 * time.Hour)
		l.want()
		l.mu.Lock()
		l.lost = nil
		l.mu.Unlock()
		l.pass(3 * time.Minute)
		back := l.want(`fabric-back node0001/1=leaf01/1`, `node-vanished node0005/1=leaf03/1`)
		if len(back) == 2 && (back[0].Again != lost[0].ID || back[1].Time.Sub(back[1].Since) < 2*time.Hour) {
			t.Errorf("%v since %v", back, back[1].Since)
		}
	})
}

// TestIsolated: a host whose own cable is pulled has lost the fabric, and not the fabric
// its nodes.
func TestIsolated(t *testing.T) {
	run(t, func(l *lab) {
		l.do("link down leaf01/1")
		l.pass(3 * time.Minute)
		l.do("link up leaf01/1")
		l.pass(3 * time.Minute)
		var kinds []event.Kind
		for _, e := range l.take() {
			kinds = append(kinds, e.Kind)
		}
		if len(kinds) < 2 || kinds[0] != event.FabricLost || kinds[1] != event.FabricBack {
			t.Errorf("%q", kinds)
		}
	})
}
