package watch

import (
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/survey"
)

// begin is the state before the first sweep.
func (w *Watcher) begin() *State {
	s := &State{Name: w.opts.Name, Source: w.opts.Source, Cause: Stored}
	if w.opts.Start == nil || w.opts.Start.Fabric == nil {
		return s
	}
	s.Fabric, s.Stored = w.opts.Start.Fabric, true
	s.At = sinceTaken(s.Fabric)
	s.Since = s.At
	s.Devices = storedDevices(s.Fabric, s.At)
	s.Routes = storedRoutes(s.Fabric, s.At, survey.RouteProblems(w.opts.Start))
	s.Fabric = withoutTables(s.Fabric)
	for p, info := range w.opts.Start.SMInfo {
		s.Managers = append(s.Managers, manager(p, &info))
	}
	sortManagers(s.Managers)
	samples := survey.Samples(w.opts.Start)
	for i := range samples {
		samples[i].Wide = samples[i].Agent.Wide() & samples[i].Has
		w.counting.total.Add(&samples[i])
	}
	if len(samples) > 0 {
		s.Totals = w.counting.total.Table(s.At)
	}
	return s
}

// sinceTaken is when a stored fabric was read.
func sinceTaken(f *fabric.Fabric) time.Time { return f.Sweep().Started.Add(f.Sweep().Duration) }
