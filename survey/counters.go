package survey

import (
	"context"
	"errors"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
)

// readCounters reads the counters of all ports.
func readCounters(ctx context.Context, c *madrpc.Client, s *snapshot.Snapshot, o *Options) error {
	options := &counters.Options{MaxOutstanding: o.MaxOutstanding, MaxPerNode: o.MaxPerTarget}
	pass, err := counters.Collect(ctx, c, s.Fabric, options)
	names := map[counters.Set][]string{}
	s.Counters = make([]snapshot.PortCounters, 0, len(pass.Samples))
	for i := range pass.Samples {
		if sample := &pass.Samples[i]; sample.Has != 0 {
			s.Counters = append(s.Counters, stored(sample, names))
		}
	}
	for _, p := range pass.Problems {
		var to mad.Target
		if port := p.Node.Port(p.Port); port != nil {
			to.LID = port.LID()
		}
		s.Problems = append(s.Problems, problem(p.Node, p.Port, to, mad.ClassPerf, p.Attr, 0, "counters could not be read", p.Err))
	}
	if e, ok := errors.AsType[*counters.Error](err); ok {
		return e.Err
	}
	return err
}

// stored is a sample as snapshots have it. Ports with the same counters share names.
func stored(sample *counters.Sample, names map[counters.Set][]string) snapshot.PortCounters {
	c := snapshot.PortCounters{
		Node: sample.Node, Port: sample.Num,
		HasMasks: sample.Agent.Known, CapMask: sample.Agent.CapMask, CapMask2: sample.Agent.CapMask2,
		Before: sample.Before, After: sample.After,
		Names: names[sample.Has],
	}
	if c.Names == nil {
		for counter := range sample.Has.All() {
			c.Names = append(c.Names, counter.Field())
		}
		names[sample.Has] = c.Names
	}
	c.Values = make([]uint64, 0, len(c.Names))
	for counter := range sample.Has.All() {
		c.Values = append(c.Values, sample.Values[counter])
	}
	for counter := range sample.Saturated.All() {
		c.Saturated = append(c.Saturated, counter.Field())
	}
	return c
}
