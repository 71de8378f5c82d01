package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// TestRoutesLanes: what "routes check" says with lanes and without.
func TestRoutesLanes(t *testing.T) {
	const torus = "sim:torus?dims=4x4&hosts=1"
	file := filepath.Join(t.TempDir(), "torus.json")
	if _, stderr, code := run(t, "ibscope", "snapshot", "--routes", "--fabric", torus, "-o", file); code != 0 {
		t.Fatal(code, stderr)
	}
	for _, tt := range []struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		{[]string{"--fabric", torus}, 4, "part them by lanes,\n       which was not looked at", ""},
		{[]string{"--fabric", torus}, 4, "credit loops: 1, on one virtual lane\n", ""},
		{[]string{"--fabric", torus, "--lanes"}, 4, "sw0-0[2] VL 0 (SL 0 to LID ", ""},
		{[]string{"--fabric", torus, "--lanes"}, 4, "credit loops: 1 on the virtual lanes that 512 paths with SL 0 take, where one lane would have 1\n", ""},
		{[]string{"--fabric", "sim:fattree?levels=2&radix=4", "--lanes"}, 0, "no credit loop, on any virtual lane\n", ""},
		{[]string{"--fabric", "file:" + file}, 4, "credit loops: 1, on one virtual lane\n", ""},
		{[]string{"--fabric", "file:" + file, "--lanes"}, 2, "", "is stored"},
	} {
		stdout, stderr, code := run(t, append([]string{"ibscope", "routes", "check"}, tt.args...)...)
		if code != tt.code || !strings.Contains(stdout, tt.stdout) || !strings.Contains(stderr, tt.stderr) {
			t.Errorf("%q: code %d, want %d\n%s%s", tt.args, code, tt.code, stdout, stderr)
		}
	}
}

func TestRoutesLanesJSON(t *testing.T) {
	stdout, stderr, code := run(t, "ibscope", "routes", "check", "--fabric", "sim:torus?dims=4x4&hosts=1", "--lanes", "-o", "json")
	var doc struct {
		Counts   map[string]int
		Findings []struct{ Kind string }
		Ways     []struct{ Hops string }
	}
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil || code != 4 {
		t.Fatalf("code %d, %v\n%s%s", code, err, stdout, stderr)
	}
	for name, want := range map[string]int{
		"credit_loops": 1, "credit_loops_on_one_lane": 1, "possible_credit_loops": 0, "dropped_by_lane": 0, "service_levels": 1, "paths": 512,
	} {
		if got, ok := doc.Counts[name]; !ok || got != want {
			t.Errorf("%s is %d, want %d", name, got, want)
		}
	}
	if len(doc.Findings) != 1 || doc.Findings[0].Kind != "credit-loop" || strings.Count(doc.Ways[0].Hops, " VL 0 ") != 4 || doc.Counts["sl_to_vl_tables"] == 0 {
		t.Errorf("%+v", doc)
	}
}
