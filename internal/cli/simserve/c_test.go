package simserve

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/testenv"
)

// commonCommands print the same from ibsim and from us.
var commonCommands = []string{
	"ibnetdiscover", "ibnetdiscover -p", "ibnetdiscover -l", "ibnetdiscover -S", "ibnetdiscover -H", "ibnetdiscover -R",
	"ibnetdiscover -g", "ibnetdiscover -f", "ibnetdiscover -m", "ibnetdiscover -g -f",
	"ibnetdiscover -o 1", "ibnetdiscover -o 2", "ibnetdiscover -o 32", "ibnetdiscover -o 128",
	"iblinkinfo", "iblinkinfo -l", "iblinkinfo -d", "iblinkinfo -p", "iblinkinfo -D 0,1",
	"ibstat", "ibstat -l", "ibstat -p", "sminfo", "sminfo -D 0,1", "ibaddr", "ibaddr -D 0,1",
	"ibroute -D 0", "ibroute -D 0,1", "ibroute -D 0,3", "ibroute -M -D 0", "dump_fts", "dump_fts -M", "ibtracert 1 2",
	"smpquery nodeinfo -D 0", "smpquery nodedesc -D 0", "smpquery nodeinfo -D 0,1", "smpquery nodedesc -D 0,1",
	"smpquery nodeinfo -D 0,3", "smpquery nodeinfo -D 0,1,1", "smpquery nodeinfo -D 0,7", "smpquery nodeinfo 1",
	"smpquery portinfo -D 0", "smpquery portinfo -D 0 1", "smpquery portinfo -D 0 8", "smpquery portinfo -D 0 9", "smpquery portinfo -D 0,1 1",
	"smpquery switchinfo -D 0", "smpquery switchinfo -D 0,1", "smpquery switchinfo -D 0,3",
	"smpquery pkeys -D 0", "smpquery pkeys -D 0 1", "smpquery pkeys -D 0,1 1",
	"smpquery vlarb -D 0 1", "smpquery vlarb -D 0,1", "smpquery vlarb -D 0,1 1", "smpquery guids -D 0", "smpquery guids -D 0,1",
	"perfquery", "perfquery -D 0,1", "ibqueryerrors",
}

// differences are where ibsim's answers are wrong, with what ours must and must
// not hold.
var differences = []struct{ command, ours, theirs, reason string }{
	{
		"smpquery sl2vl -D 0,1", "| 6| 7| 0| 1| 2| 3| 4| 5| 6| 7|", "| 8| 9|10|11|12|13|14| 7|",
		"a port that operates VL 0 to 7 cannot send on VL 8 to 14",
	},
	{
		"smpquery mlnxextportinfo -D 0,1 1", "Mellanox ext port info query failed", "StateChangeEnable",
		"a device of another vendor has no attribute of Mellanox",
	},
}

var varying = regexp.MustCompile(`(?m)^# Topology file: generated on .*$|^(ibwarn: )?\[\d+\]|\[\d+\]|0x[0-9a-f]{12}`)

func undated(s string) string { return varying.ReplaceAllString(s, "VARYING") }

func TestDifferencesFromIbsim(t *testing.T) {
	testenv.Need(t, "ibsim", "umad2sim", "smpquery")
	path := testenv.Example(t, "net")
	theirs := testenv.StartIbsim(t, path)
	ours := &testenv.Ibsim{Name: serve(t, "sim:"+path, nil).Addr()}
	for _, d := range differences {
		args := strings.Fields(d.command)
		want, _, _ := testenv.RunC(t, theirs, "", args[0], args[1:]...)
		if !strings.Contains(want, d.theirs) {
			t.Errorf("%s: ibsim does not print %q any more (%s):\n%s", d.command, d.theirs, d.reason, want)
		}
		got, _, _ := testenv.RunC(t, ours, "", args[0], args[1:]...)
		if !strings.Contains(got, d.ours) || strings.Contains(got, d.theirs) {
			t.Errorf("%s: %q is missing (%s):\n%s", d.command, d.ours, d.reason, got)
		}
	}
}

func TestC(t *testing.T) {
	testenv.Need(t, "ibsim", "umad2sim", "ibnetdiscover", "smpquery")
	for _, file := range []string{"net", "net.1", "net.2sw2path4hca2port"} {
		path := testenv.Example(t, file)
		theirs := testenv.StartIbsim(t, path)
		ours := &testenv.Ibsim{Name: serve(t, "sim:"+path, nil).Addr()}
		for _, host := range []string{"", "Hca1"} {
			for _, line := range commonCommands {
				t.Run(file+"/"+host+" "+line, func(t *testing.T) {
					args := strings.Fields(line)
					wantOut, wantErr, wantCode := testenv.RunC(t, theirs, host, args[0], args[1:]...)
					out, stderr, code := testenv.RunC(t, ours, host, args[0], args[1:]...)
					if code != wantCode {
						t.Errorf("exit code %d, from ibsim %d", code, wantCode)
					}
					if diff := cmp.Diff(undated(wantOut), undated(out)); diff != "" {
						t.Errorf("stdout (-ibsim +ours)\n%s", diff)
					}
					if diff := cmp.Diff(undated(wantErr), undated(stderr)); diff != "" {
						t.Errorf("stderr (-ibsim +ours)\n%s", diff)
					}
				})
			}
		}
	}
}
