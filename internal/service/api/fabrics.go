package api

import (
	"time"

	"github.com/ibscope/ibscope/watch"
)

func (a *API) fabrics(r *request) error {
	answer := Fabrics{
		Schema: "ibscope.api.fabrics", Version: Version, Program: a.o.Program, Started: a.o.Started.UTC(), Events: a.o.Log.Last(), Items: []Fabric{},
		History: a.historyStatus(),
	}
	for _, s := range a.o.States() {
		answer.Items = append(answer.Items, a.glance(s))
	}
	return r.json(answer)
}

// historyStatus is how the history does, nil for none.
func (a *API) historyStatus() *HistoryStatus {
	if a.o.HistoryStatus == nil {
		return nil
	}
	h := a.o.HistoryStatus()
	if h != nil {
		h.Since = utc(h.Since)
	}
	return h
}

func (a *API) oneFabric(r *request) error {
	return r.json(FabricAnswer{Schema: "ibscope.api.fabric", Version: Version, Fabric: a.glance(r.state)})
}

// glance is a fabric at a glance.
func (a *API) glance(s *watch.State) Fabric {
	f := Fabric{
		Name: s.Name, Source: s.Source, Status: statusWord(s), At: s.At.UTC(), LostSince: utc(s.Lost), Error: errorText(s.Err),
		Managers: []Manager{}, Refresh: run(&s.Refresh), Verify: run(&s.Verify), Counters: run(&s.Pass), Tables: run(&s.Routing),
	}
	if s.Totals != nil {
		f.CountedAt = s.Totals.At.UTC()
	}
	if s.Fabric == nil {
		return f
	}
	f.Complete = s.Fabric.IsComplete()
	x := a.indexOf(s)
	counts := x.counts
	counts.FlappingLinks = a.flappingLinks(s.Name, x)
	f.Counts, f.Topology = &counts, x.shape()
	for _, m := range s.Managers {
		f.Managers = append(f.Managers, x.manager(m))
	}
	return f
}

func statusWord(s *watch.State) string {
	switch {
	case s.Connected && !s.Stored && s.Fabric != nil:
		return Live
	case !s.Connected && !s.Lost.IsZero():
		return Lost
	case s.Fabric == nil:
		return Starting
	}
	return Stored
}

func (x *index) shape() *Shape {
	t := x.topology
	s := &Shape{Kind: string(t.Kind), Rails: len(t.Rails), Planes: t.Planes}
	if len(t.Parts) == 0 {
		return s
	}
	s.Groups = t.Parts[0].Groups
	for _, tier := range t.Parts[0].Tiers {
		s.Tiers = max(s.Tiers, tier.Tier)
	}
	return s
}

func (x *index) manager(m watch.Manager) Manager {
	out := Manager{
		GUID: m.Node, Name: m.Node.String(), Port: m.Port, PortGUID: m.GUID, LID: m.LID, State: m.State,
		Priority: int(m.Priority), Activity: m.Activity,
	}
	if n, ok := x.fabric.NodeByGUID(m.Node); ok {
		out.Name = x.name(n)
	}
	return out
}

func run(r *watch.Run) Run {
	return Run{
		Count: r.Count, Failed: r.Failed, Started: utc(r.Started), Duration: r.Duration.Seconds(), Requests: r.Requests,
		Resent: r.Resent, TimedOut: r.TimedOut, Problems: r.Problems, Complete: r.Complete, Error: errorText(r.Err),
	}
}

// utc is a time in UTC; the zero time stays that, so that it is left out.
func utc(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC()
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
