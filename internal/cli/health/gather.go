package health

import (
	"context"
	"errors"

	"github.com/ibscope/ibscope/counters/explain"
	"github.com/ibscope/ibscope/fabric"
	judge "github.com/ibscope/ibscope/fabric/health"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/measure"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/mad/vendors/mlnx"
	"github.com/ibscope/ibscope/survey"
)

// gather reads what there is beside the sweep. A sweep that ended early ends the
// rest too; what is missing is told.
func (j *judged) gather(ctx context.Context) error {
	live := j.visited.Client != nil
	if j.early == nil {
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

// managers takes what the subnet managers tell of themselves: of a fabric that
// answers, or of a snapshot for which they were asked.
func (j *judged) managers(ctx context.Context) {
	v := j.visited
	shot := v.Snapshot
	if v.Client != nil {
		shot, j.early = survey.Take(ctx, v.Client, v.Fabric, &survey.Options{SMInfo: true})
	}
	if j.early != nil || shot == nil || shot.SMInfo == nil {
		return
	}
	why := map[*fabric.Port]error{}
	for _, p := range shot.Of(0, smp.AttrSMInfo) {
		if n, ok := v.Fabric.NodeByGUID(p.GUID); ok {
			why[n.Port(p.Port)] = p.Err
		}
	}
	j.options.ManagersAsked = true
	for p := range judge.MayManage(v.Fabric) {
		m := judge.Manager{Port: p, Err: why[p]}
		if info, ok := shot.SMInfo[p]; ok {
			m.State, m.Priority = info.State, info.Priority
		} else if m.Err == nil {
			m.Err = errNotAsked
		}
		j.options.Managers = append(j.options.Managers, m)
	}
}

var errNotAsked = errors.New("not asked")

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
	if v.Client != nil {
		problems, err := survey.Firmware(ctx, v.Client, v.Fabric, nil)
		j.lost = append(j.lost, report.Problems(problems)...)
		j.early = err
	} else if v.Snapshot != nil {
		var info mlnx.GeneralInfo
		j.lost = append(j.lost, report.Problems(v.Snapshot.Of(info.Class()))...)
	}
	j.options.Firmware = map[*fabric.Node]string{}
	for n := range v.Fabric.Nodes() {
		if f, ok := n.Firmware(); ok {
			j.options.Firmware[n] = f.Version
		}
	}
	if len(j.options.Firmware) == 0 && v.Client == nil {
		return env.Exitf(env.Failed, "%s has no firmware; a snapshot of \"ibscope snapshot --firmware\" has", v.URI)
	}
	return nil
}

// follow reads the forwarding tables, and follows all ways.
func (j *judged) follow(ctx context.Context) error {
	v := j.visited
	var unread []fabric.Problem
	if v.Snapshot != nil {
		unread = survey.RouteProblems(v.Snapshot)
		if v.Client == nil {
			j.lost = append(j.lost, report.Problems(unread)...)
		}
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
