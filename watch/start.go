package watch

import (
	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/format/snapshot"
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
	for i := range w.opts.Start.Counters {
		if sample := stored(&w.opts.Start.Counters[i]); sample != nil {
			w.total.Add(sample)
		}
	}
	if len(w.opts.Start.Counters) > 0 {
		s.Totals = w.total.Table(s.At)
	}
	return s
}

// stored is the sample that a snapshot was made of, nil if it is none of a port.
func stored(c *snapshot.PortCounters) *counters.Sample {
	if c.Node == nil || c.Port > c.Node.NumPorts() {
		return nil
	}
	s := &counters.Sample{
		Node: c.Node, Num: c.Port, Before: c.Before, After: c.After,
		Agent: counters.Agent{Known: c.HasMasks, CapMask: c.CapMask, CapMask2: c.CapMask2},
	}
	for i, name := range c.Names {
		if counter, ok := byField(name); ok {
			s.Values[counter] = c.Values[i]
			s.Has |= counters.SetOf(counter)
		}
	}
	s.Wide = s.Agent.Wide() & s.Has
	for _, name := range c.Saturated {
		if counter, ok := byField(name); ok {
			s.Saturated |= counters.SetOf(counter)
		}
	}
	return s
}

func byField(name string) (counters.Counter, bool) {
	for c := range counters.Counter(counters.NumCounters) {
		if c.Field() == name {
			return c, true
		}
	}
	return 0, false
}
