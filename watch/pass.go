package watch

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
)

// passResult is what a pass over the counters has brought.
type passResult struct {
	table *total.Table
	run   Run
	err   error // why it ended early
}

// counting is what is kept between passes. It belongs to the pass that is under way.
type counting struct {
	total  *total.Accumulator
	agents map[ib.GUID]counters.Agent // what they can do
	of     int                        // the verification that agents were asked after
}

// countersPass runs in a goroutine of its own.
func (w *Watcher) countersPass(ctx context.Context, c *connection, before *State) outcome {
	ctx, cancel := context.WithTimeout(ctx, w.opts.Counters.Deadline)
	defer cancel()
	k := &w.counting
	if before.Verify.Count != k.of {
		k.of = before.Verify.Count
		clear(k.agents) // to be asked again, now and then
	}
	ports := w.chooser(before)
	pass, err := counters.Collect(ctx, c.client, before.Fabric, &counters.Options{
		Want: w.opts.Want, Nodes: order(before, ports), Ports: ports, Beside: true,
		Agent: func(n *fabric.Node) counters.Agent { return k.agents[n.GUID()] },
		Each:  k.take, Also: w.also, Optional: total.DetailAttributes(),
	})
	r := &passResult{err: err}
	r.table = k.total.Table(pass.Started.Add(pass.Duration))
	r.run = Run{
		From: before.Number, Started: pass.Started, Duration: pass.Duration, Requests: pass.Requests, Resent: pass.Resent,
		TimedOut: pass.TimedOut, Err: err,
	}
	for i := range pass.Problems {
		if pass.Problems[i].Attr != pma.AttrPortSamplesControl { // which need not be there
			r.run.Problems++
		}
	}
	r.run.Complete = err == nil && r.run.Problems == 0
	return outcome{kind: Counting, pass: r}
}

// also is what is read of a port beside its counters.
func (w *Watcher) also(s *counters.Sample) []mad.AttrID {
	list := w.counting.total.Also(s)
	if w.opts.Details {
		list = append(list, w.counting.total.AlsoDetails(s, w.opts.DetailsEvery)...)
	}
	return list
}

// take takes in a sample.
func (k *counting) take(s *counters.Sample) {
	if s.Agent.Known || s.Agent.Lacks != 0 {
		k.agents[s.Node.GUID()] = s.Agent
	}
	k.total.Add(s)
}

// order is in which order to read: as in the fabric, but after a pass that ended early
// those first that it did not come to.
func order(s *State, ports func(*fabric.Port) bool) []*fabric.Node {
	if s.Pass.Err == nil || s.Totals == nil {
		return nil
	}
	nodes := slices.Collect(s.Fabric.Nodes())
	missed := make([]int, len(nodes))
	for i, n := range nodes {
		for p := range n.Ports() {
			if t := s.Totals.Port(n.GUID(), p.Num()); t != nil {
				missed[i] = max(missed[i], t.Missed)
			} else if ports(p) {
				missed[i] = math.MaxInt // by all passes
			}
		}
	}
	slices.SortStableFunc(nodes, func(a, b *fabric.Node) int { return cmp.Compare(missed[b.Index()], missed[a.Index()]) })
	return nodes
}

// chooser chooses the ports to read: those that have a link or are training one, those
// that had one when counters were last read, and of these what the options want.
func (w *Watcher) chooser(before *State) func(*fabric.Port) bool {
	return func(p *fabric.Port) bool {
		inUse := p.Remote() != nil || p.PhysState() == ib.PhysLinkUp || before.Totals.Port(p.Node().GUID(), p.Num()) != nil
		return inUse && (w.opts.Ports == nil || w.opts.Ports(p))
	}
}

// takePass makes a new state of what a pass has brought.
func (w *Watcher) takePass(r *passResult) {
	if errors.Is(r.err, context.Canceled) {
		return
	}
	w.log.Debug("pass over counters", "requests", r.run.Requests, "duration", r.run.Duration, "problems", r.run.Problems, "err", r.err)
	fallen := downedBetween(w.State().Totals, r.table)
	w.doubt(fallen)
	w.noteFallen(fallen)
	w.publish(Counting, func(s *State) {
		s.count(Counting, r.run, false)
		s.Totals = r.table
	})
}
