package api

import (
	"net/http"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
)

func (a *API) trace(r *request) error {
	if err := r.known(); err != nil {
		return err
	}
	x := r.index
	from, err := x.portNamed(r.text("from"))
	if err != nil {
		return err
	}
	to, err := x.portNamed(r.text("to"))
	if err != nil {
		return err
	}
	if to.LID() == 0 {
		return bad("%q has no LID: no packet can go there", r.text("to"))
	}
	tables, err := r.tables()
	if err != nil {
		return &Error{http.StatusServiceUnavailable, "the forwarding tables are not known"}
	}
	how := tablesComputed
	if _, read := tables.(route.LFTs); read {
		how = tablesRead
	}
	answer := Trace{
		Schema: "ibscope.api.trace", Version: Version, Fabric: r.state.Name, At: utc(r.state.At),
		From: x.portPlace(from), To: x.portPlace(to), Tables: how, Ways: []TraceWay{},
	}
	for i := range 1 << to.LMC() {
		way := route.Follow(tables, from, to.LID()+ib.LID(i))
		answer.Ways = append(answer.Ways, r.way(way))
		if how == tablesRead {
			answer.ReadAt = r.readAt(answer.ReadAt, way)
		}
	}
	return r.json(answer)
}

// Where forwarding tables come from.
const (
	tablesRead     = "read"
	tablesComputed = "computed"
)

// tables are the forwarding tables that were read, or where there are none those of
// shortest ways.
func (r *request) tables() (route.Table, error) {
	x := r.index
	if read, unread := r.state.Routes.LFTs(x.fabric); len(read) > 0 || len(unread) == 0 {
		return read, nil
	}
	x.routes.Do(func() { x.computed, x.routesErr = route.New(x.fabric, route.Suggest(x.fabric, nil), nil) })
	return x.computed, x.routesErr
}

// readAt is when the oldest of the tables was read that a way was followed by.
func (r *request) readAt(oldest time.Time, w *route.Way) time.Time {
	for _, s := range w.Steps {
		if at := utc(r.state.Routes.Oldest(s.Node.GUID())); oldest.IsZero() || !at.IsZero() && at.Before(oldest) {
			oldest = at
		}
	}
	return oldest
}

// outcomes are the words for how a way ends.
var outcomes = map[route.End]string{
	route.Arrives: "arrives", route.NoRoute: "no-route", route.DeadEnd: "dead-end", route.WrongEnd: "wrong-end",
	route.Circle: "circle", route.Unread: "unread", route.NoStart: "no-start",
}

func (r *request) way(w *route.Way) TraceWay {
	out := TraceWay{LID: w.LID, Arrives: w.End == route.Arrives, Outcome: outcomes[w.End], Hops: []Hop{}}
	if out.Outcome == "" {
		out.Outcome = "not-assigned"
	}
	for _, s := range w.Steps {
		out.Hops = append(out.Hops, r.hop(s))
	}
	return out
}

func (r *request) hop(s route.Step) Hop {
	x := r.index
	h := Hop{Place: x.nodePlace(s.Node)}
	if s.In != nil {
		h.In, h.InErrors = pointer(s.In.Num()), r.counted(s.In).sum()
	}
	if s.Out >= 0 {
		h.Out = pointer(s.Out)
	}
	if p := s.OutPort(); p != nil && p.Num() > 0 {
		h.Link, h.State, h.Active = x.linkIDOf(p), stateWord(p.State()), activeOf(p)
		h.OutErrors = r.counted(p).sum()
	}
	return h
}

// activeOf is the rate of a port whose link is up.
func activeOf(p *fabric.Port) *Rate {
	if s := p.State(); s == ib.PortDown || s == ib.PortNoChange {
		return nil
	}
	return rateOf(p.Active())
}
