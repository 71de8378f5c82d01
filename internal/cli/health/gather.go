package health

import (
	"context"
	"errors"
	"fmt"

	"github.com/ibscope/ibscope/counters/explain"
	"github.com/ibscope/ibscope/fabric"
	judge "github.com/ibscope/ibscope/fabric/health"
	models "github.com/ibscope/ibscope/fabric/model"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/measure"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/vendordata"
	"github.com/ibscope/ibscope/survey"
)

// gather reads what there is beside the sweep. A sweep that ended early ends the
// rest too; what is missing is told.
func (j *judged) gather(ctx context.Context) error {
	live := j.visited.Client != nil
	if live && j.early == nil {
		j.managers(ctx)
	}
	for _, step := range []struct {
		wanted bool
		read   func(context.Context) error
	}{{j.counters != "off", j.read}, {j.firmware, j.askFirmware}, {j.routes, j.follow}} {
		if !step.wanted || j.early != nil && live {
			continue
		}
		if err := step.read(ctx); err != nil {
			return err
		}
	}
	return nil
}

// managers asks all ports that say that they have a subnet manager.
func (j *judged) managers(ctx context.Context) {
	j.options.ManagersAsked = true
	for p := range judge.MayManage(j.visited.Fabric) {
		m := judge.Manager{Port: p}
		if p.LID() == 0 {
			m.Err = errNoLID
		} else {
			info, err := madrpc.GetSMP[smp.SMInfo](ctx, j.visited.Client, mad.ByLID(p.LID()), 0)
			m.State, m.Priority, m.Err = info.State, info.Priority, err
		}
		if ctx.Err() != nil {
			j.early, j.options.ManagersAsked = ctx.Err(), false
			return
		}
		j.options.Managers = append(j.options.Managers, m)
	}
}

var errNoLID = errors.New("not asked, because it has no LID")

// read takes the counters that are beyond their thresholds.
func (j *judged) read(ctx context.Context) error {
	if stored := j.visited.Snapshot; j.visited.Client == nil && j.counters == "auto" && (stored == nil || stored.Counters == nil) {
		return nil
	}
	readings, err := measure.Read(ctx, j.visited, &measure.Options{Want: j.limits.Watched()})
	if err != nil {
		return err
	}
	j.lost = append(j.lost, readings.Problems...)
	if j.early == nil {
		j.early = readings.Early
	}
	for i := range readings.All {
		s := readings.All[i].Last
		if s == nil || s.Has == 0 || s.Port() == nil {
			continue
		}
		j.options.CountedPorts++
		for c := range j.limits.Beyond(s).All() {
			x := explain.Of(c)
			j.options.Counters = append(j.options.Counters, judge.Counter{
				Port: s.Port(), Name: c.String(), Value: s.Values[c], AtEnd: s.Saturated.Has(c),
				Severity: severityOf(x.Severity), Action: x.Action,
			})
		}
	}
	return nil
}

func severityOf(s explain.Severity) judge.Severity {
	switch s {
	case explain.Fault:
		return judge.Error
	case explain.Loss:
		return judge.Warning
	}
	return judge.Note
}

// askFirmware asks devices with NVIDIA's vendor class.
func (j *judged) askFirmware(ctx context.Context) error {
	v := j.visited
	if v.Client == nil {
		return env.Exitf(env.Usage, "%s is stored: there is nobody to ask for --firmware", v.URI)
	}
	var asked []*fabric.Node
	var targets []mad.Target
	for n := range v.Fabric.Nodes() {
		info := n.Info()
		if lid := lidOf(n); lid != 0 && models.Name(info.VendorID, info.DeviceID) != "" {
			asked, targets = append(asked, n), append(targets, mad.ByLID(lid))
		}
	}
	j.options.Firmware = map[*fabric.Node]string{}
	for i, answer := range vendordata.Devices(ctx, v.Client, targets) {
		if answer.Err == nil {
			f := answer.Device.Firmware
			j.options.Firmware[asked[i]] = fmt.Sprintf("%d.%d.%d", f.Major, f.Minor, f.SubMinor)
			continue
		}
		p := report.Lost(fmt.Errorf("firmware of node %s: %w", asked[i].GUID(), answer.Err))
		p.GUID = asked[i].GUID()
		j.lost = append(j.lost, p)
	}
	j.early = ctx.Err()
	return nil
}

// follow reads the forwarding tables, and follows all ways.
func (j *judged) follow(ctx context.Context) error {
	v := j.visited
	var unread []fabric.Problem
	if v.Snapshot != nil {
		unread = v.Snapshot.Problems
	}
	if v.Client != nil {
		shot, err := survey.Take(ctx, v.Client, v.Fabric, &survey.Options{Routes: true})
		j.early, unread = err, shot.Problems
		j.lost = append(j.lost, report.Problems(unread)...)
	}
	tables, _ := route.TablesOf(v.Fabric, unread...)
	if len(tables) == 0 {
		return env.Exitf(env.Failed, "%s has no forwarding tables for --routes", v.URI)
	}
	j.options.Routes = route.Examine(v.Fabric, tables, nil)
	return nil
}
