package health

import (
	"context"
	"testing"

	judge "github.com/ibscope/ibscope/fabric/health"
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
