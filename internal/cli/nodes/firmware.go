package nodes

import (
	"context"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
	"github.com/ibscope/ibscope/mad/vendors/mlnx"
	"github.com/ibscope/ibscope/survey"
)

// askFirmware asks the nodes that are wanted for their firmware; of a stored fabric it
// is there, or not. The error is why it ended early, an *env.ExitError if there is
// none and nobody to ask.
func (l *lister) askFirmware(ctx context.Context, v *sweep.Visited, r *report.Report) error {
	if v.Client != nil {
		problems, err := survey.Firmware(ctx, v.Client, v.Fabric, l.wants)
		r.Problems = append(r.Problems, report.Problems(problems)...)
		return err
	}
	for n := range v.Fabric.Nodes() {
		if _, ok := n.Firmware(); ok {
			if v.Snapshot != nil {
				var info mlnx.GeneralInfo
				r.Problems = append(r.Problems, report.Problems(v.Snapshot.Of(info.Class()))...)
			}
			return nil
		}
	}
	return env.Exitf(env.Failed, "%s has no firmware; a snapshot of \"ibscope snapshot --firmware\" has", v.URI)
}
