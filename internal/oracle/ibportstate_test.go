package oracle_test

import (
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// portStateLines change ports one after the other; ours need --force for those that
// begin with "!". In a star the switch has LID 1
// and the own port LID 2; port 1 of the switch leads to it.
var portStateLines = []string{
	"", "-h", "1", "-Z", "-D", "-t 0 1 1",
	"-D 0 1", "-D 0 0", "-D 0 2", "-D 0,1 0", "-D 0,1 1", "-D 0,1 2", "-D 0,1 2 query", "-D 0,1,2 1", "-D 0,1 200", "-D 0,1 -- -1", "-D 0,1 x",
	"1 0", "1 1", "1 2", "1 2x", "2 1", "3 1", "-K 3 1", "-K -D 0,1 0", "-y 7 1 2", "-e 1 200", "1 40", "-t 100 99 1", "-D 0,9 1", "-e -D 0,1,9 1",
	"0 1", "x 1", "0xc000 1", "-G 0x77 1", "-G 0 1",
	// Mistakes in operations, which show when the port is open.
	"1 2 nonsense", "1 2 query nonsense", "1 2 enable disable", "1 2 query query", "1 2 speed", "1 2 speed 16", "1 2 espeed 32", "1 2 fdr10 2", "1 2 width 32", "1 2 width 254",
	"1 2 vls 0", "1 2 vls 6", "1 2 mtu 0", "1 2 mtu 6", "1 2 lid 0", "1 2 lid 0xc000", "1 2 smlid 0", "1 2 smlid 49152", "1 2 lmc 8",
	"1 2 mkeylease 65536", "1 2 mkeyprot 4", "1 2 mkey", "1 2 mkey 5", "1 2 mkeylease 5", "1 2 mkeyprot 1", "1 2 Enable", "1 2 speed 99999999999999999999", "99 2 lmc 9",
	// What takes ports up and down.
	"1 2 on", "1 2 disable", "1 2", "1 2 on", "1 2", "1 2 arm", "3 1 arm", "-D 0,1,2 1 arm", "1 2 active", "-D 0,1,2 1 active", "1 2",
	"1 3 off", "1 3 enable", "1 3 reset", "1 3 down", "1 3 arm", "1 3 active", "1 3 arm active", "-D 0,1 3 down", "-D 0,1 3 disable speed 1", "-D 0,1 3 on",
	// What the next training may use.
	"1 2 width 1", "1 2", "1 2 reset", "1 2", "-D 0,1,2 1 arm", "1 2 arm", "-D 0,1,2 1 active", "1 2 active", "1 2", "1 2 width 255 reset", "1 2",
	"1 2 speed 1 espeed 30 reset", "1 2 arm", "1 2 espeed 31", "1 2", "1 2 speed 15", "1 2 espeed 31 enable", "1 2 espeed 1 speed 2 width 2 reset", "1 2 width 3", "1 2 width 8", "1 2 speed 8", "1 2 espeed 16", "1 2 speed 0x2x",
	"! -D 0,1,2 1 width 1 reset", "-D 0,1,2 1", "-D 0,1,2 1 arm", "-D 0,1 2 arm", "-D 0,1 2 active", "-D 0,1,2 1 active", "-D 0,1 2", "-D 0,1,2 1 width 255", "-D 0,1 2",
	"1 2 fdr10 1", "1 2 fdr10 0", "1 2 vls 1", "1 2 vls 5", "1 2 mtu 1", "1 2 mtu 5", "1 2 mtu 2 vls 2 query",
	// Who owns a port.
	"-D 0,1,3 1 lid 77", "-D 0,1,3 1 lid 0x123 smlid 0x124 lmc 0", "-D 0,1,3 1 lmc 1", "-D 0,1,3 1 lid 4 lmc 2", "-D 0,1,3 1 smlid 2", "-D 0,1 0 lid 300", "-D 0,1 0 lmc 1", "-D 0,1 2 lid 9",
	"-D 0,1,3 1 mkeylease 9", "-D 0,1,3 1 mkey 0x55 mkeyprot 1", "-D 0,1,3 1", "-K -D 0,1,3 1", "-K -y 0x55 -D 0,1,3 1", "-e -D 0,1,3 1 mkeyprot 0", "-y 0x55 -D 0,1,3 1 mkey 0 mkeyprot 0 mkeylease 0", "-D 0,1,3 1",
	"-D 0,1 0 mkey 7", "-K -y 7 -D 0,1 0 mkey 0",
	// Of the own port only what leaves it up.
	"-D 0 1 lid 0x1234", "-D 0 1 speed 7 width 3", "-D 0 1 arm", "-D 0 1 active", "-D 0 1 on",
	// What would cut us off, with --force. The own port comes last.
	"! 3 1 down", "! -D 0,1 1 width 1 enable", "-D 0,1 1", "-D 0 1", "! -D 0,1 1 disable", "-D 0 1", "-D 0 1 on", "! -D 0 1 disable",
}

// TestIbportstate compares on twins of one fabric. Without traps its subnet manager
// does not learn of changes, and leaves ports as they are.
func TestIbportstate(t *testing.T) {
	testenv.Need(t, "ibsim", "ibportstate", "umad2sim")
	const uri = "sim:star?hosts=4&traps=off"
	forC, forUs := serve(t, uri), serve(t, uri)
	for _, line := range portStateLines {
		t.Run(line, func(t *testing.T) {
			theirs, isForced := strings.CutPrefix(line, "! ")
			ours := theirs
			if isForced {
				ours += " --force"
			}
			beside(t, forC.Ibsim, forUs.Ibsim, "", "ibportstate "+theirs, "ibportstate "+ours, nil)
		})
	}
}

// TestIbportstateIbsim does so on ibsim, which knows no LIDs without a manager.
func TestIbportstateIbsim(t *testing.T) {
	testenv.Need(t, "ibsim", "ibportstate", "umad2sim")
	topology := testenv.Example(t, "net.2sw2path4hca2port")
	forC, forUs := testenv.StartIbsim(t, topology), testenv.StartIbsim(t, topology)
	for _, line := range strings.Split(`-D 0 1
-D 0,1 0
-D 0,1 1
-D 0,1 2
-D 0,1 5
-D 0,1 30
-D 0,1,3 1
-D 0,1 2 disable
-D 0,1 2
-D 0,1 2 on
-D 0,1 2 enable
-D 0,1 2 reset
-D 0,1 2 arm
-D 0,1 2 active
-D 0,1 2 down
-D 0,1 3 lid 5
-D 0,1 0 lid 5 smlid 6 lmc 1
-D 0,1 0
-D 0,1,2 1 lid 7 arm
-D 0,1,2 1 mkey 5 mkeyprot 1 mkeylease 3
-K -D 0,1,2 1
-D 0,1 1 width 1
-D 0,1 1 speed 1
-D 0,1 1 mtu 3 vls 2
-D 0 1 lid 0x1234 arm`, "\n") {
		t.Run(line, func(t *testing.T) {
			sideBySide(t, forC, forUs, "Hca1", "ibportstate "+line, nil)
		})
	}
}

// TestIbportstateMended pins what C has wrong, and what only ours refuse.
func TestIbportstateMended(t *testing.T) {
	testenv.Need(t, "ibsim", "ibportstate", "umad2sim")
	const uri = "sim:star?hosts=4&traps=off"
	forC, forUs := serve(t, uri), serve(t, uri)
	for _, m := range []struct{ line, ours, theirs, reason string }{
		{"-D x 1", "can't resolve destination port x", "CA/RT PortInfo", "a route that is none is not the local node"},
		{"-D 0,1,2x 1", "can't resolve destination port 0,1,2x", "CA/RT PortInfo", "nor another one"},
		{"1 1 reset", "--force does it", "After PortInfo set", "the switch's end of the own link"},
		{"-D 0 1 disable", "it is the local port", "After PortInfo set", "the own port"},
	} {
		args := append([]string{"ibportstate"}, strings.Fields(m.line)...)
		if got := ours(t, "ibsim:"+forUs.Name, args...); !strings.Contains(got.stdout, m.ours) || strings.Contains(got.stdout, m.theirs) || got.code != 255 {
			t.Errorf("%s (%s): exit code %d\n%s", m.line, m.reason, got.code, got.stdout)
		}
		if want := c(t, forC.Ibsim, "", args...); !strings.Contains(want.stdout, m.theirs) {
			t.Errorf("%s: C is not as it was (%s):\n%s", m.line, m.reason, want.stdout)
		}
	}
}

// TestIbportstateDisabledSpeeds: 30 says that no extended speed is enabled, which C
// takes for a set of them.
func TestIbportstateDisabledSpeeds(t *testing.T) {
	testenv.Need(t, "ibsim", "ibportstate", "umad2sim")
	s := serve(t, "sim:star?hosts=4&traps=off")
	for _, line := range []string{"1 2 espeed 30 reset", "1 2 arm", "-D 0,1,2 1 arm", "1 2 active"} {
		if got := ours(t, "ibsim:"+s.Name, append([]string{"ibportstate"}, strings.Fields(line)...)...); got.code != 0 {
			t.Fatalf("%s: %s%s", line, got.stdout, got.stderr)
		}
	}
	const warning = "validate_extended_speed: Peer ports operating at active extended speed 0 rather than 4"
	if got := ours(t, "ibsim:"+s.Name, "ibportstate", "1", "2"); strings.Contains(got.stderr, "Peer ports") || !strings.Contains(got.stdout, "Peer PortInfo") {
		t.Errorf("ours: %+v", got)
	}
	if want := c(t, s.Ibsim, "", "ibportstate", "1", "2"); !strings.Contains(want.stderr, warning) {
		t.Errorf("C no longer warns: %s", want.stderr)
	}
}
