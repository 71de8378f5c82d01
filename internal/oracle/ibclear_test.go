package oracle_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestIbclear has no C tool beside it: Debian does not ship the scripts. It asks
// the simulator what is left of the counters.
func TestIbclear(t *testing.T) {
	for tool, left := range map[string]bool{"ibclearerrors": true, "ibclearcounters": false} {
		s := serve(t, "sim:fattree?levels=2&radix=8&hosts=16")
		s.still(t, 5)
		uri := "ibsim:" + s.Name
		before := oursAt(t, uri, "", "ibqueryerrors", "--counters")
		got := oursAt(t, uri, "", tool)
		if got.code != 0 || got.stdout != "\n## Summary: 22 nodes cleared 0 errors\n" {
			t.Errorf("%s: %+v", tool, got)
		}
		if after := oursAt(t, uri, "", "ibqueryerrors"); after.code != 0 || !strings.Contains(after.stdout, " 0 bad nodes found") {
			t.Errorf("%s leaves errors: %s", tool, after.stdout)
		}
		counts := oursAt(t, uri, "", "ibqueryerrors", "--counters")
		if !strings.Contains(before.stdout, "[PortXmitPkts == ") {
			t.Fatalf("nothing to clear: %s", before.stdout)
		}
		if has := counts.stdout == before.stdout; has != left {
			t.Errorf("%s: data counters are as before: %v", tool, has)
		}
	}
}

// TestIbclearFailure has a file name nodes that are not there.
func TestIbclearFailure(t *testing.T) {
	s := serve(t, "sim:star?hosts=3")
	file := filepath.Join(t.TempDir(), "topology")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(brokenTopology, "lid 1 lmc 0", "lid 900 lmc 0")), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]result{
		"ibclearcounters -h":                    {code: 2},
		"ibclearerrors -x":                      {code: 2},
		"ibclearerrors --dry-run":               {code: 0, stdout: "4 nodes"},
		"ibclearerrors /nonexistent":            {code: 255, stdout: "loading cached fabric failed"},
		"ibclearcounters -t 50 " + file:         {code: 1, stdout: "errors\n", stderr: "Lid 900"},
		"ibclearcounters -t 50 -o json " + file: {code: 1, stdout: `"nodes_failed": `, stderr: "Lid 900"},
	} {
		got := oursAt(t, "ibsim:"+s.Name, "", strings.Fields(line)...)
		if got.code != want.code || !strings.Contains(got.stdout, want.stdout) || !strings.Contains(got.stderr, want.stderr) {
			t.Errorf("%s: %+v", line, got)
		}
	}
}
