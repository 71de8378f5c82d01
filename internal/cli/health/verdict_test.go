package health

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	judge "github.com/ibscope/ibscope/fabric/health"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
	"github.com/ibscope/ibscope/sim/gen"
)

// TestVerdictOfPart: nothing found in a part of a fabric does not make it healthy.
func TestVerdictOfPart(t *testing.T) {
	f, err := gen.Parse("star?hosts=2")
	if err != nil {
		t.Fatal(err)
	}
	bad := []judge.Finding{{Severity: judge.Critical}}
	for _, tt := range []struct {
		lost     []report.Problem
		early    error
		findings []judge.Finding
		want     judge.Verdict
	}{
		{nil, nil, nil, judge.Healthy},
		{[]report.Problem{{Loss: true}}, nil, nil, judge.Unknown},
		{nil, context.Canceled, nil, judge.Unknown},
		{nil, context.Canceled, bad, judge.Failing},
	} {
		j := &judged{visited: &sweep.Visited{Fabric: f}, result: &judge.Report{Findings: tt.findings}, lost: tt.lost, early: tt.early}
		if got := j.verdict(); got != tt.want {
			t.Errorf("lost %v, early %v, findings %v: %s, want %s", tt.lost, tt.early, tt.findings, got, tt.want)
		}
	}
}

// TestNothingKnown: of a fabric without nodes, or with nothing but their names, nobody
// can tell whether it is healthy.
func TestNothingKnown(t *testing.T) {
	for _, text := range []string{`{"schema":"ibscope.snapshot","version":1,"fabric":{"nodes":[]}}`, "Ca\t: 0x0000000000000001 ports 1 \"a\"\n"} {
		file := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		stdout, stderr, code := run(t, "--fabric", "file:"+file)
		if code != env.Incomplete || !strings.Contains(stdout, "UNKNOWN") || !strings.Contains(stderr, "is not known") {
			t.Errorf("code %d\n%s%s", code, stdout, stderr)
		}
	}
}
