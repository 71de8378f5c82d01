package oracle_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/sim"
)

// perfLines are command lines of perfquery. LIDs 1 and 2 are a switch and the
// own port.
var perfLines = []string{
	"", "-x", "-a", "-l", "-r", "-R", "-xr", "1", "1 1", "1 2", "1 0", "1 0x2x", "1 nonsense", "1 100", "1 255", "2", "2 1", "2 2",
	"-a 1", "-a 2", "-a 3", "-l 1", "-l 1 255", "-l 2 255", "-a -l 1", "-a -l 2", "-x -a 1", "-x -a 2", "-x -l 1 255", "-x 1 1", "-x 2 1",
	"-a 1 1-3", "-l 1 1-3", "1 1-3", "-x 1 1-3", "-xa 1 1-3", "1 3-1", "1 2-2", "1 1,3", "-a 1 1,3", "-l 1 1,3", "-xa 1 1,3", "1 ,2", "1 1,",
	"-r 1 1", "-R 1 1", "1 1", "-R 1 2 0x0fff", "1 2", "-R 1 2 0xf000", "1 2", "-R 1 3 0", "1 3", "-x -R 1 1", "-x 1 1", "-xr 1 2 1", "-x 1 2",
	"-R 1 1,3", "-l 1 1,3", "-R -a 1", "-l 1 255", "-R -a 2", "-a 2", "-R -l 1 255", "-r -a 1 1-2", "-R 2 1 0x30000", "2 1", "2 1 0xffffffffff", "-r 2 1 077",
	"-X 1 1", "-S 1 1", "-D 1 1", "-E 1 1", "-T 1 1", "-T 2 1", "--oprcvcounters 1 1", "--flowctlcounters 1 1", "--vloppackets 1 1", "--vlopdata 1 1",
	"--vlxmitflowctlerrors 1 1", "--vlxmitcounters 1 1", "--swportvlcong 1 1", "--rcvcc 1 1", "--slrcvfecn 1 1", "--slrcvbecn 1 1",
	"--xmitcc 1 1", "--vlxmittimecc 1 1", "-c 1 1", "--smplctl", "-c 1 9", "-cr 1 1", "-X 1 9", "-X 9 1", "-c -T 1 1", "-E -D 1 1",
	"-Xr 1 1", "-X 1 1", "-SR 1 1", "-S 1 1", "-DR 1 1 1", "-D 1 1", "-ER 1 1 3", "-E 1 1", "-TR 1 1", "-T 1 1", "-Tr 1 2 0x3", "-T 1 2", "-TR 1 3 0", "-T 1 3",
	"--oprcvcounters -R 1 1", "--flowctlcounters -r 1 1", "--vloppackets -R 1 1", "--vlopdata -R 1 1", "--vlxmitflowctlerrors -R 1 1",
	"--vlxmitcounters -R 1 1", "--swportvlcong -R 1 1", "--rcvcc -R 1 1", "--slrcvfecn -R 1 1", "--slrcvbecn -R 1 1", "--xmitcc -R 1 1", "--vlxmittimecc -R 1 1",
	"-X", "-Xa 1", "-G 0x1", "-G 0", "-G nonsense", "0", "99", "0xc000", "nonsense", "-e 99", "-e 1 9", "-t 50 99", "-h", "-Z", "-t 0", "-D -C", "--vl 1 1",
}

// TestPerfquery compares on twins of one fabric, whose counters stand still.
func TestPerfquery(t *testing.T) {
	testenv.Need(t, "ibsim", "perfquery", "umad2sim")
	const uri = "sim:star?hosts=3"
	forC, forUs := serve(t, uri), serve(t, uri)
	forC.still(t, 1)
	forUs.still(t, 1)
	for _, line := range perfLines {
		t.Run(line, func(t *testing.T) {
			sideBySide(t, forC.Ibsim, forUs.Ibsim, "", "perfquery "+line, withoutQP1Dropped)
		})
	}
}

var (
	qp1Dropped = regexp.MustCompile(`(?m)^QP1Dropped:.*\n`)
	cutOff     = regexp.MustCompile(`(?m)^(VL15Dropped|PortXmitWait|QP1Dropped):.*\n`)
)

// withoutQP1Dropped takes out QP1Dropped, which libibmad reads from the place of
// VL15Dropped; and of the extended counters all that libumad2sim does not hand
// on: bytes from 224 on.
func withoutQP1Dropped(out string) string {
	if strings.HasPrefix(out, "# Port extended counters") {
		return cutOff.ReplaceAllString(out, "")
	}
	return qp1Dropped.ReplaceAllString(out, "")
}

// TestPerfqueryMended pins what C has wrong.
func TestPerfqueryMended(t *testing.T) {
	testenv.Need(t, "ibsim", "perfquery", "umad2sim")
	s := serve(t, "sim:star?hosts=3")
	s.still(t, 1)
	sw, err := s.Node("MF0;switch01:MQM8700/U1")
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]uint64{"PortCounters.VL15Dropped": 7, "PortCounters.QP1Dropped": 5, "PortCountersExtended.QP1Dropped": 6} {
		if err := s.Agents.Counters.Set(sim.Place{Node: sw, Port: 1}, name, v); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range []struct{ line, ours, theirs, reason string }{
		{
			"1 1", "QP1Dropped:......................5\nVL15Dropped:.....................7\n", "QP1Dropped:......................7\n",
			"IBA has QP1Dropped in bytes 20 and 21 of PortCounters, libibmad takes bytes 22 and 23",
		},
		{"-x 1 1", "QP1Dropped:......................6\n", "QP1Dropped:......................0\n", "libumad2sim cuts packets off"},
		{"-X 1 1,2", "# PortXmitDataSL counters: Lid 1 port 2\n", "# PortXmitDataSL counters: Lid 1 port 1\n", "a list of ports counts for all counters"},
		{"1 257", "no port has the number 257", "# Port counters: Lid 1 port 257", "a port number has eight bits"},
		{"1 1,257", "no port has the number 257", "# Port counters: Lid 1 port 257", "a port number has eight bits"},
		{"1 1-300", "no port has the number 300", "", "C writes beyond its list of 256 ports"},
	} {
		args := append([]string{"perfquery"}, strings.Fields(m.line)...)
		if got := ours(t, "ibsim:"+s.Name, args...); !strings.Contains(got.stdout, m.ours) {
			t.Errorf("%s: %q is missing (%s):\n%s", m.line, m.ours, m.reason, got.stdout)
		}
		if m.theirs == "" {
			continue
		}
		if want := c(t, s.Ibsim, "", args...); !strings.Contains(want.stdout, m.theirs) || strings.Contains(want.stdout, m.ours) {
			t.Errorf("%s: C has no longer its fault (%s):\n%s", m.line, m.reason, want.stdout)
		}
	}
}
