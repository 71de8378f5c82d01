package trace

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc/trace"
)

// runLive asks node by node, on the way to each LID.
func (j *job) runLive(ctx context.Context) error {
	var list []*asked
	for i := range 1 << j.to.LMC() {
		w := &asked{lid: j.to.LID() + ib.LID(i)}
		list = append(list, w)
		start, ok := j.from.Node().Path()
		if !ok {
			return env.Exitf(env.Failed, "no directed route to %s is known", j.name(j.from.Node()))
		}
		t := trace.Tracer{Client: j.v.Client, Timeout: j.sweep.Timeout, Force: true}
		if _, w.err = t.Unicast(ctx, start, mad.ByLID(w.lid), trace.Way{From: w.from, Hop: w.hop}); ctx.Err() != nil {
			j.early = ctx.Err()
			break
		}
	}
	var known []*route.Way
	for _, w := range list {
		known = append(known, w.onMap(j.v.Fabric))
	}
	if err := j.measure(ctx, known); err != nil {
		return err
	}
	for _, w := range list {
		j.asked(w)
		if w.err == nil {
			j.outcomes = append(j.outcomes, fmt.Sprintf("LID %d: arrives after %d hops, each asked", w.lid, len(w.outs)))
			continue
		}
		j.failed = true
		j.outcomes = append(j.outcomes, fmt.Sprintf("LID %d: %s%v", w.lid, w.loop(), w.err))
	}
	return nil
}

// asked is a way as the nodes on it told it.
type asked struct {
	lid   ib.LID
	stops []trace.Stop
	outs  []uint8 // of all stops but the last
	err   error   // why it ends early
}

func (w *asked) from(s *trace.Stop) { w.stops = append(w.stops, *s) }

func (w *asked) hop(out uint8, to *trace.Stop) {
	w.outs = append(w.outs, out)
	w.stops = append(w.stops, *to)
}

// loop tells of a way that comes to a switch twice.
func (w *asked) loop() string {
	been := map[ib.GUID]int{}
	for i := range w.stops {
		g := w.stops[i].Node.NodeGUID
		if before, again := been[g]; again && w.stops[i].IsSwitch() {
			return fmt.Sprintf("loop, comes back to %q (%s) after %d hops; ", w.stops[i].Description.String(), g, i-before)
		}
		been[g] = i
	}
	return ""
}

// maxShown bounds the stops of a way that goes around for ever.
const maxShown = 16

// ports are those on the map by which the way comes to a stop and leaves it.
func (w *asked) ports(n *fabric.Node, i int) (in, out *fabric.Port) {
	if i > 0 && w.stops[i].Num > 0 {
		in = n.Port(int(w.stops[i].Num))
	}
	if i < len(w.outs) {
		out = n.Port(int(w.outs[i]))
	}
	return in, out
}

// onMap is the way as far as the map knows its nodes.
func (w *asked) onMap(f *fabric.Fabric) *route.Way {
	way := &route.Way{LID: w.lid}
	for i := range w.stops {
		if n, known := f.NodeByGUID(w.stops[i].Node.NodeGUID); known {
			step := route.Step{Node: n, Out: -1}
			var out *fabric.Port
			if step.In, out = w.ports(n, i); out != nil {
				step.Out = out.Num()
			}
			way.Steps = append(way.Steps, step)
		}
	}
	return way
}

// asked makes rows; names, and what links run at, are on the map.
func (j *job) asked(w *asked) {
	stops := w.stops
	if w.loop() != "" {
		stops = stops[:min(len(stops), maxShown)]
	}
	for i := range stops {
		s := &stops[i]
		if n, known := j.v.Fabric.NodeByGUID(s.Node.NodeGUID); known {
			in, out := w.ports(n, i)
			j.rows = append(j.rows, j.row(w.lid, i, n, in, out))
			continue
		}
		row := make([]report.Cell, numColumns)
		row[hop], row[name], row[guid] = report.Number(i), report.Text(s.Description.String()), report.GUID(s.Node.NodeGUID)
		j.rows = append(j.rows, row)
	}
}
