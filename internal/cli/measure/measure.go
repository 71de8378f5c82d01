// Package measure is how reports get counters: of a fabric that answers, read once
// or twice, or those that a snapshot holds.
package measure

import (
	"context"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/cli/sweep"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/survey"
)

// Reading is what was read of a port.
type Reading struct {
	First *counters.Sample // nil if it was read once
	Last  *counters.Sample
}

// Readings are those of the ports of a fabric.
type Readings struct {
	All      []Reading // in the order of nodes and ports
	Problems []report.Problem
	Early    error // why it ended early, nil if it did not

	byPort map[place]int
}

type place struct {
	node *fabric.Node
	port int
}

// Options are what to read, and when.
type Options struct {
	Want     counters.Set
	Interval time.Duration             // read again so long after the first reading began; 0: read once
	Ports    func(p *fabric.Port) bool // nil for all

	// Wait is how to wait between two readings; nil for by the clock.
	Wait func(context.Context, time.Duration) error
}

// Read reads counters. The error, an *env.ExitError, says that the fabric has none.
func Read(ctx context.Context, v *sweep.Visited, o *Options) (*Readings, error) {
	r := &Readings{byPort: map[place]int{}}
	if v.Client == nil {
		return r, r.recall(v, o)
	}
	collector := counters.New(v.Client, v.Fabric, &counters.Options{Want: o.Want, Ports: o.Ports})
	begun := time.Now()
	r.take(collector.Collect(ctx))
	if o.Interval == 0 || r.Early != nil {
		return r, nil
	}
	wait := o.Wait
	if wait == nil {
		wait = sleep
	}
	if r.Early = wait(ctx, time.Until(begun.Add(o.Interval))); r.Early != nil {
		return r, nil
	}
	for i := range r.All {
		r.All[i].First, r.All[i].Last = r.All[i].Last, nil
	}
	r.Problems = nil // those of the second reading count
	r.take(collector.Collect(ctx))
	return r, nil
}

// sleep waits; the error is the context's.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// recall takes the counters of a snapshot.
func (r *Readings) recall(v *sweep.Visited, o *Options) error {
	switch {
	case o.Interval != 0:
		return env.Exitf(env.Usage, "%s is stored: counters cannot be read twice", v.URI)
	case v.Snapshot == nil || v.Snapshot.Counters == nil:
		return env.Exitf(env.Failed, "%s has no counters; a snapshot of \"ibscope snapshot --counters\" has, or the output of perfquery or ibqueryerrors beside it", v.URI)
	}
	samples := survey.Samples(v.Snapshot)
	for i := range samples {
		s := &samples[i]
		if o.Ports == nil || s.Port() != nil && o.Ports(s.Port()) {
			r.keep(s)
		}
	}
	r.Problems = report.Problems(v.Snapshot.Of(mad.ClassPerf))
	return nil
}

// take keeps what a pass has read.
func (r *Readings) take(pass *counters.Pass, err error) {
	if r.Early == nil {
		r.Early = err
	}
	for i := range pass.Samples {
		if s := &pass.Samples[i]; s.Node != nil { // else it was never begun
			r.keep(s.Clone())
		}
	}
	for i := range pass.Problems {
		p := &pass.Problems[i]
		r.Problems = append(r.Problems, report.Lost(p).At(p.Node.GUID(), p.Port))
	}
}

// keep makes a sample the last one of its port.
func (r *Readings) keep(s *counters.Sample) {
	at, ok := r.byPort[place{s.Node, s.Num}]
	if !ok {
		at = len(r.All)
		r.byPort[place{s.Node, s.Num}] = at
		r.All = append(r.All, Reading{})
	}
	r.All[at].Last = s
}

// Of is the reading of a port, nil if there is none.
func (r *Readings) Of(p *fabric.Port) *Reading {
	if p == nil {
		return nil
	}
	at, ok := r.byPort[place{p.Node(), p.Num()}]
	if !ok || r.All[at].Last == nil {
		return nil
	}
	return &r.All[at]
}
