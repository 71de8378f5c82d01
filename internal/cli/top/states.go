package top

import (
	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/threshold"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/watch"
)

// faults are the counters that are summed up as errors: those of the page, the API and
// the commands.
var faults = threshold.Default().Watched()

// namer is what to call a node.
type namer func(*fabric.Node) string

// ofState makes a frame of what is known of a fabric, and of its events, the newest
// first.
func ofState(s *watch.State, events []event.Event, name namer) *frame {
	f := &frame{fabric: s.Name, source: s.Source, at: s.At, settled: s.Stored && s.Number == 0 || s.Pass.Count > 1, events: events}
	if s.Totals != nil && s.Totals.At.After(f.at) {
		f.at = s.Totals.At
	}
	if !s.Connected && s.Err != nil {
		f.lost = s.Err.Error()
	}
	if s.Fabric == nil {
		return f
	}
	for n := range s.Fabric.Nodes() {
		switch n.Type() {
		case ib.NodeCA:
			f.hosts++
		case ib.NodeSwitch:
			f.switches++
		}
	}
	for l := range s.Fabric.Links() {
		f.links = append(f.links, linkOf(l, s.Totals, name))
	}
	f.links = append(f.links, unlinked(s, name)...)
	return f
}

// unlinked are the ports without a known link.
func unlinked(s *watch.State, name namer) (list []link) {
	for p := range s.Fabric.Ports() {
		if p.Num() > 0 && p.Remote() == nil {
			list = append(list, link{a: endOf(p, s.Totals, name), b: end{congestion: -1}, state: p.State()})
		}
	}
	return list
}

func linkOf(l fabric.Link, t *total.Table, name namer) link {
	out := link{a: endOf(l.A, t, name), b: endOf(l.B, t, name), state: min(l.A.State(), l.B.State())}
	if l.OneWay() || l.B.State() == ib.PortNoChange {
		out.state = l.A.State()
	}
	active := l.A.Active()
	if out.state == ib.PortActive {
		out.rate = active.String()
		out.capacity = ib.RateGbps(active.Width, active.Speed) * 1e9 / 8
	}
	if l.IsDegraded() {
		out.best = l.Best().String()
	}
	return out
}

func endOf(p *fabric.Port, t *total.Table, name namer) end {
	n := p.Node()
	e := end{guid: n.GUID(), port: p.Num(), name: name(n), lid: p.LID(), congestion: -1}
	if c := t.Port(n.GUID(), p.Num()); c != nil {
		e.count(c)
	}
	return e
}

// count fills in what counters tell.
func (e *end) count(c *total.Port) {
	e.counted, e.rated = true, c.Rated.Has(counters.XmitData)
	e.xmit, e.rcv = c.Rates[counters.XmitData], c.Rates[counters.RcvData]
	e.congestion, e.downed = c.Congestion, c.Values[counters.LinkDowned]
	e.discards = c.Rates[counters.XmitDiscards]
	var most float64
	var highest uint64
	for k := range (c.Has & faults).All() {
		e.errors += c.Values[k]
		e.rising += c.Rates[k] * 60
		if c.Rates[k] > most || most == 0 && c.Values[k] > highest {
			e.worst, most, highest = k.String(), c.Rates[k], c.Values[k]
		}
	}
}
