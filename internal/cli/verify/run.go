package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/fabric/verify"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
	"github.com/ibscope/ibscope/survey"
)

func (s *settings) run(ctx context.Context, e *env.Env, text string) error {
	if err := s.print.Check(columns); err != nil {
		return err
	}
	nameMap, err := names.Load(e, s.nameMap)
	if err != nil {
		return env.Exitf(env.Failed, "--node-name-map: %w", err)
	}
	own := names.Of(nameMap)
	plan, err := s.plan(ctx, e, text, own)
	if err != nil {
		return err
	}
	if len(plan.Cables)+len(plan.Rules) == 0 {
		return env.Exitf(env.Failed, "%s has no cable and no rule", text)
	}
	plan.Partial = s.partial
	return s.sweep.Visit(ctx, e, func(ctx context.Context, v *sweep.Visited) error {
		untold, early := readFirmware(ctx, v, plan)
		o := &verify.Options{Own: own}
		if len(plan.Rules) > 0 {
			t := topology.Classify(v.Fabric, nil)
			o.Role = func(n *fabric.Node) string { return string(t.Place(n).Role) }
		}
		found := verify.Check(v.Fabric, plan, o)
		r := &report.Report{
			Name: "verify", Title: "Wiring", Source: v.URI, Started: v.Fabric.Sweep().Started,
			Table:    report.Table{Name: "findings", Columns: columns},
			Details:  []report.Table{{Name: "work", Title: "What to do", Columns: workColumns}},
			Problems: slices.Concat(s.planProblems, report.Problems(v.Fabric.Problems()), report.Problems(untold)),
		}
		for _, err := range found.Problems {
			r.Problems = append(r.Problems, report.Problem{Message: err.Error(), Loss: true})
		}
		name := verify.Names(v.Fabric, own)
		for i := range found.Findings {
			addRow(r, &found.Findings[i], name)
		}
		summarize(r, plan, found)
		if err := s.print.Print(e, r); err != nil {
			return err
		}
		if err := report.End(e, r, early); err != nil {
			return err
		}
		if len(found.Findings) > 0 {
			return &env.ExitError{Code: env.Findings}
		}
		return nil
	})
}

// readFirmware asks the devices of a fabric that answers for their firmware, if the plan
// has rules about it. Early is why not all of the fabric is there.
func readFirmware(ctx context.Context, v *sweep.Visited, plan *verify.Plan) (untold []fabric.Problem, early error) {
	if !plan.WantsFirmware() || v.Client == nil || v.Early != nil {
		return nil, v.Early
	}
	return survey.Firmware(ctx, v.Client, v.Fabric, nil)
}

func summarize(r *report.Report, plan *verify.Plan, found *verify.Report) {
	var words []string
	if n := len(plan.Cables); n > 0 {
		words = append(words, fmt.Sprintf("%d of %d planned cables in place", found.InPlace, n))
	}
	if n := len(plan.Rules); n > 0 {
		words = append(words, fmt.Sprintf("%d of %d rules kept", found.Kept, n))
	}
	switch n := len(found.Findings); n {
	case 0:
		words = append(words, "nothing found")
	case 1:
		words = append(words, "1 finding")
	default:
		words = append(words, fmt.Sprintf("%d findings", n))
	}
	r.Summary = strings.Join(words, ", ")
	r.Counts = []report.Count{
		{Name: "findings", N: len(found.Findings)},
		{Name: "cables", N: len(plan.Cables)},
		{Name: "in_place", N: found.InPlace},
		{Name: "rules", N: len(plan.Rules)},
		{Name: "rules_kept", N: found.Kept},
	}
}
