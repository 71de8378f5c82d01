package nodes

import (
	"context"
	"errors"
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	models "github.com/ibscope/ibscope/fabric/model"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc/vendordata"
)

// askFirmware asks those nodes for their firmware that have the vendor class: NVIDIA's
// own, and devices of others with their chips. The error is why it ended early, an
// *env.ExitError if nobody can be asked.
func (l *lister) askFirmware(ctx context.Context, v *sweep.Visited, r *report.Report) error {
	if v.Client == nil {
		return env.Exitf(env.Usage, "%s is stored: there is nobody to ask for --firmware", v.URI)
	}
	var asked []*fabric.Node
	var targets []mad.Target
	for n := range v.Fabric.Nodes() {
		info := n.Info()
		if !l.wants(n) || models.Name(info.VendorID, info.DeviceID) == "" {
			continue
		}
		lid := lidOf(n)
		if lid == 0 {
			r.Problems = append(r.Problems, unknown(n, errNoLID))
			continue
		}
		asked, targets = append(asked, n), append(targets, mad.ByLID(lid))
	}
	for i, answer := range vendordata.Devices(ctx, v.Client, targets) {
		if answer.Err == nil {
			l.devices[asked[i]] = answer.Device
			continue
		}
		r.Problems = append(r.Problems, unknown(asked[i], answer.Err))
	}
	return ctx.Err()
}

var errNoLID = errors.New("not asked, because the node has no LID")

// unknown is the problem of a node whose firmware is not known.
func unknown(n *fabric.Node, err error) report.Problem {
	p := report.Lost(fmt.Errorf("firmware of node %s: %w", n.GUID(), err))
	p.GUID = n.GUID()
	return p
}
