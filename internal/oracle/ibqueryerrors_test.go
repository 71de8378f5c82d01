package oracle_test

import (
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// errorLines are run without an SA, of which C makes an end; --skip-sl goes on.
var errorLines = []string{
	"", "-c", "-s SymbolErrorCounter,PortRcvErrors,nonsense", "-s PortXmitWait -c", "-r", "--data", "--data -r", "--counters", "--counters -r", "--switch", "--ca", "--router",
	"--switch --ca", "--counters --ca", "-R", "-D 0", "-D 0,1", "-D 0,7", "--threshold-file /nonexistent", "-o 1", "-k --ca", "", "-K --switch", "--counters", "-k -K", "--data --counters",
	"-h", "-L", "-t 0", "--load-cache /nonexistent", "--load-cache x -D 0", "-k --details -s PortXmitDiscards,PortRcvErrors", "--node-name-map /nonexistent",
}

// TestIbqueryerrors compares on twins of a fabric whose counters stand still. The
// last bytes of the extended counters do not pass libumad2sim: VL15Dropped and
// PortXmitWait are left out.
func TestIbqueryerrors(t *testing.T) {
	testenv.Need(t, "ibsim", "ibqueryerrors", "umad2sim")
	const uri = "sim:star?hosts=3"
	forC, forUs := serve(t, uri), serve(t, uri)
	forC.still(t, 2)
	forUs.still(t, 2)
	for _, line := range errorLines {
		line = strings.TrimSpace("ibqueryerrors --skip-sl -s VL15Dropped,PortXmitWait " + line)
		t.Run(line, func(t *testing.T) { sideBySide(t, forC.Ibsim, forUs.Ibsim, "", line, nil) })
	}
}

// TestIbqueryerrorsMended pins what C has wrong.
func TestIbqueryerrorsMended(t *testing.T) {
	testenv.Need(t, "ibsim", "ibqueryerrors", "umad2sim")
	s := serve(t, "sim:star?hosts=3")
	s.still(t, 2)
	args := strings.Fields("ibqueryerrors --skip-sl --switch --details")
	want, got := c(t, s.Ibsim, "", args...), ours(t, "ibsim:"+s.Name, args...)
	if !strings.Contains(got.stdout, "[PortInactiveDiscards == ") || !strings.Contains(got.stdout, "[PortLoopingErrors == ") {
		t.Errorf("no details: %s", got.stdout)
	}
	for _, mix := range []string{"[PortXmitDiscards == ", "[PortRcvErrors == "} {
		_, after, _ := strings.Cut(want.stdout, mix)
		_, ofC, _ := strings.Cut(after, "] ")
		_, after, _ = strings.Cut(got.stdout, mix)
		_, ofUs, _ := strings.Cut(after, "] ")
		if strings.SplitN(ofC, " ", 2)[0] == strings.SplitN(ofUs, " ", 2)[0] {
			t.Errorf("C has no longer its fault with the details of %q", mix)
		}
	}
	// Where nobody is asked for service levels C ends without a word and with 0.
	bare := startBare(t, "net")
	args = []string{"ibqueryerrors", "-D", "0"}
	if want := c(t, bare.sim, "Hca1", args...); want.stdout != "" || want.code != 0 {
		t.Errorf("C goes on without an SA: %q", want.stdout)
	}
	if got := bare.ours(t, "Hca1", "ibqueryerrors -D 0"); !strings.Contains(got.stdout, "## Summary: 1 nodes checked") {
		t.Errorf("without an SA: exit code %d, %q, %q", got.code, got.stdout, got.stderr)
	}
}
