package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestCompare: the simulator's manager knows its fabric, and a node that answers
// no questions is missing from the sweep.
func TestCompare(t *testing.T) {
	const uri = "sim:fattree?levels=2&radix=4"
	for _, tt := range []struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		{[]string{"--fabric", uri}, 0, "no differences: 14 nodes, 16 links\n", ""},
		{[]string{"--fabric", uri + "&sm=off"}, 1, "", "knows no subnet manager"},
		{[]string{"--fabric", uri, "--from", "0,1"}, 2, "", "--from"},
		{[]string{"--fabric", uri, "-o", "xml"}, 2, "", "there are table, text, json, csv"},
		{[]string{"--fabric", uri, "--sm-key", "x"}, 2, "", "--sm-key"},
		{[]string{"--fabric", "file:testdata/hostile.topo"}, 1, "", "does not have the subnet manager's view"},
		{[]string{"--fabric", uri + "&mute=node0003 mlx5_0", "--timeout", "10ms", "--retries", "0"}, 3, "B: the manager's view", "no-reply"},
	} {
		stdout, stderr, code := run(t, append([]string{"ibscope", "compare"}, tt.args...)...)
		if code != tt.code || !strings.Contains(stdout, tt.stdout) || !strings.Contains(stderr, tt.stderr) {
			t.Errorf("%q: code %d, want %d\n%s%s", tt.args, code, tt.code, stdout, stderr)
		}
	}
}

func TestDiscoverSA(t *testing.T) {
	const uri = "sim:fattree?levels=2&radix=4"
	stdout, stderr, code := run(t, "ibscope", "discover", "--sa", "--fabric", uri, "-o", "json")
	var doc struct {
		View     string
		Complete bool
		Nodes    []any
	}
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil || code != 0 || doc.View != "subnet-administration" || !doc.Complete || len(doc.Nodes) != 14 {
		t.Errorf("code %d, %v, %+v\n%s", code, err, doc, stderr)
	}
	for _, args := range [][]string{{"--max-hops", "1"}, {"--from", "lid:1"}, {"--sm-key", "x"}, {"--fabric", "file:testdata/hostile.topo"}} {
		if _, stderr, code := run(t, append([]string{"ibscope", "discover", "--sa", "--fabric", uri}, args...)...); code != 2 {
			t.Errorf("%q: code %d, want 2: %s", args, code, stderr)
		}
	}
}
