package oracle_test

import (
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

func TestSminfo(t *testing.T) {
	testenv.Need(t, "ibsim", "sminfo", "umad2sim", "opensm")
	bare := startBare(t, "net")
	bare.like(t, "Hca1", "sminfo -h", "sminfo -K", "sminfo -D 0", "sminfo", "sminfo -D 0,1", "sminfo 0", "sminfo x", "sminfo -D 0 3")
	r := startManaged(t, "net.2sw2path4hca2port", "Hca1")
	r.like(t, "Hca2",
		"sminfo -e {Hca1} 9", "sminfo {Switch1}", "sminfo {Hca2}", "sminfo 300", "sminfo -D 0", "sminfo -D 0,9",
		"sminfo -s 1 -p 3 -a 7 {Hca1} 5")
	// The activity count grows from one request to the next.
	for _, line := range []string{"sminfo", "sminfo {Hca1}", "sminfo -G {guid Hca1}", "sminfo -D 0,1,3,1", "sminfo -a 5 -s 9 {Hca1}x", "sminfo {Hca1} 0", "sminfo {Hca1} 0x5 more"} {
		args := split(r.names.Replace(line))
		want, got := c(t, r.sim, "Hca2", args...), r.ours(t, "Hca2", line)
		w, g := uncounted(want.stdout), uncounted(got.stdout)
		if want.code != got.code || w != g || !strings.Contains(g, "SMINFO_MASTER") {
			t.Errorf("%s: exit code %d, %q, C has %d, %q", line, got.code, g, want.code, w)
		}
	}
}

// uncounted takes the activity count out of sminfo's line.
func uncounted(s string) string {
	before, after, _ := strings.Cut(s, "activity count ")
	_, after, _ = strings.Cut(after, " ")
	return before + after
}

func TestSmpdump(t *testing.T) {
	testenv.Need(t, "ibsim", "smpdump", "umad2sim", "opensm")
	r := startManaged(t, "net.2sw2path4hca2port", "Hca1")
	r.like(t, "Hca2",
		"smpdump", "smpdump -D 0", "smpdump -G", "smpdump -D '' 0x11",
		"smpdump -D 0 0x11", "smpdump -D 0,1 17", "smpdump -D 0,1 0x15 1", "smpdump -D 0,1 0x15", "smpdump -D 0,1 0x15 99",
		"smpdump -s -D 0 0x10", "smpdump -D 0,1,1 0x10", "smpdump -D 0 0x12",
		"smpdump {Hca1} 0x11", "smpdump {Switch2} 0x15 2", "smpdump -s {Switch1} 16", "smpdump {Switch1} 0x19", "smpdump {Switch1} 0x19 -- -1",
		"smpdump -L -D 0 16", "smpdump -D 0,1 0x10011", "smpdump -t 500 {Hca1} 0x11 0x", "smpdump -y 7 -D 0,1 0x11")
	// C takes the request that the kernel gives back for a reply: zeros, exit code 0.
	for _, line := range []string{"smpdump -t 50 300 0x11", "smpdump -t 50 -D 0,9 0x11", "smpdump -t 50 -D 0 0x99", "smpdump 0 0x11", "smpdump -D x 0x11"} {
		got := r.ours(t, "Hca2", line)
		if got.code != 255 || got.stdout != "" || !strings.HasPrefix(got.stderr, "ibpanic: ") {
			t.Errorf("%s: %+v", line, got)
		}
	}
}
