package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSummary(t *testing.T) {
	for _, tt := range []struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		{[]string{"--fabric", "sim:fattree?levels=2&radix=4"}, 0, "Topology: fat tree of 2 tiers\n  8 hosts, 8 adapters\n", ""},
		{[]string{"--fabric", "sim:director?hosts=20", "--collapse-chassis"}, 0, "Topology: one switch\n", ""},
		{[]string{"--fabric", "sim:fattree?levels=2&radix=4&mute=node0003 mlx5_0", "--timeout", "10ms", "--retries", "0"}, 3, "INCOMPLETE", ""},
		{[]string{"--fabric", "sim:star", "-o", "xml"}, 2, "", "there are table, text, json, csv"},
		{[]string{"--fabric", "sim:star", "--limit", "0"}, 2, "", "--limit"},
		{[]string{"--fabric", "sim:no-such"}, 2, "", "no-such"},
		{[]string{"--fabric", "sim:star", "--node-name-map", "testdata/no-such"}, 1, "", "--node-name-map"},
	} {
		stdout, stderr, code := run(t, append([]string{"ibscope", "summary"}, tt.args...)...)
		if code != tt.code || !strings.Contains(stdout, tt.stdout) || !strings.Contains(stderr, tt.stderr) {
			t.Errorf("%q: code %d, want %d\n%s%s", tt.args, code, tt.code, stdout, stderr)
		}
	}
}

func TestSummaryJSON(t *testing.T) {
	stdout, stderr, code := run(t, "ibscope", "summary", "--fabric", "sim:torus?dims=5x5", "-o", "json")
	var doc struct {
		Schema   string
		Topology struct {
			Kind  string
			Hosts []any
			Parts []struct{ Dims []struct{ Size int } }
		}
	}
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil || code != 0 {
		t.Fatalf("code %d, %v\n%s%s", code, err, stdout, stderr)
	}
	if doc.Schema != "ibscope.summary" || doc.Topology.Kind != "torus" || len(doc.Topology.Hosts) != 25 || len(doc.Topology.Parts[0].Dims) != 2 {
		t.Errorf("%+v", doc)
	}
}
